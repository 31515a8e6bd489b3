import type { ServerNotification } from "@codex-js/protocol";
import { expect, test } from "vitest";
import { ThreadNotices } from "./thread-notices.ts";

function createNotices() {
  const notices = new ThreadNotices();
  const note = (method: string, params: object) => notices.note({ method, params } as ServerNotification);
  const warn = (message: string) => note("warning", { threadId: "t", message });
  const startTurn = () => {
    note("turn/started", { threadId: "t" });
    return notices.takeForTurn("t");
  };
  return { notices, note, warn, startTurn };
}

test("what was said when the thread was loaded is said with each turn", () => {
  const { warn, startTurn } = createNotices();
  warn("old setting");
  expect([startTurn(), startTurn()]).toEqual([["old setting"], ["old setting"]]);
});

test("what is said between turns belongs to the next one only, and not twice", () => {
  const { warn, startTurn } = createNotices();
  warn("no metadata");
  startTurn();
  warn("no metadata");
  warn("new");
  expect([startTurn(), startTurn()]).toEqual([["no metadata", "new"], ["no metadata"]]);
});

test("a warning of the configuration is said twice; one of the app-server's own is not said", () => {
  const { note, warn, startTurn } = createNotices();
  note("configWarning", { summary: "unknown key", details: null });
  note("configWarning", { summary: "no sandbox helper", details: null });
  warn("unknown key");
  expect(startTurn()).toEqual(["unknown key", "unknown key"]);
});

test("a deprecation belongs to the thread that is loaded next", () => {
  const { notices, note, startTurn } = createNotices();
  note("deprecationNotice", { summary: "old", details: "use new" });
  notices.claim("t");
  expect(startTurn()).toEqual(["old (use new)"]);
  note("turn/started", { threadId: "other" });
  expect(notices.takeForTurn("other")).toEqual([]);
});

test("other threads and other engines have nothing to do with it", () => {
  const { notices, note, warn, startTurn } = createNotices();
  note("warning", { threadId: "other", message: "x" });
  note("warning", { threadId: null, message: "y" });
  expect(startTurn()).toEqual([]);
  warn("before the crash");
  notices.reset();
  expect(startTurn()).toEqual([]);
});
