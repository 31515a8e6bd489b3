import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createModHost, type ModHost, type ModHostOptions } from "../../src/index.ts";
import { examplesDir, realRunner } from "./real-runner.ts";

const operations: ModHostOptions["operations"] = {
  "git.branch": () => "main",
  "git.changes": () => ({ added: 3, deleted: 1 }),
  "git.log": (input) =>
    (input as { since: string }).since === "v1"
      ? [
          { hash: "0123456789abcdef", subject: "fix(parser)!: half a line" },
          { hash: "123456789abcdef0", subject: "feat: lines" },
          { hash: "23456789abcdef01", subject: "Merge branch" },
        ]
      : [],
  "secrets.pseudonymKey": () => "000102030405060708090a0b0c0d0e0f",
};
const everything = Object.keys(operations);

describe.skipIf(realRunner === undefined)("example mods", () => {
  let host: ModHost;
  const load = (name: string) => host.load(join(examplesDir, name));

  beforeAll(() => {
    host = createModHost({ runnerPath: realRunner!, operations, grants: everything });
  });
  afterAll(() => host.close());

  const status = { model: "gpt-5", folder: "/home/me/work/project", usedTokens: 5000, maxTokens: 20_000 };

  test("status-line: three modules, a JSON file, two host operations at a time", async () => {
    const mod = await load("status-line");
    const { value, stats } = await mod.run("statusLine", status);
    expect(value).toEqual({
      text: "◆ gpt-5 · /home/me/work/project · ⎇ main · +3 −1 · ▤ 5.0k of 20.0k (25 %)",
      segments: ["◆ gpt-5", "/home/me/work/project", "⎇ main", "+3 −1", "▤ 5.0k of 20.0k (25 %)"],
    });
    expect(stats.hostRequests).toBe(2);
    const narrow = await mod.run("statusLine", { ...status, columns: 30 });
    expect(narrow.value).toMatchObject({ text: "◆ gpt-5" });
  });

  test("status-line without its grants does with less", async () => {
    await using other = createModHost({ runnerPath: realRunner!, operations });
    const mod = await other.load(join(examplesDir, "status-line"));
    const { value, stats } = await mod.run("statusLine", status);
    expect(value).toMatchObject({ text: "◆ gpt-5 · /home/me/work/project · ▤ 5.0k of 20.0k (25 %)" });
    expect([...stats.denied].sort()).toEqual(["git.branch", "git.changes"]);
  });

  test("command: a change log, and what a user may type wrong", async () => {
    const mod = await load("command");
    const outputs = await Promise.all([["v1"], ["v2"], []].map((args) => mod.run("changelog", { args })));
    expect(outputs.map(({ value }) => value)).toEqual([
      {
        exitCode: 0,
        output:
          "# Since v1\n\n## New\n\n- lines (1234567)\n\n## Mended\n\n- half a line (0123456)\n\n## Other\n\n- Merge branch (2345678)\n",
      },
      { exitCode: 1, output: "nothing since v2" },
      { exitCode: 2, output: "usage: /changelog TAG" },
    ]);
  });

  test("render: what it has rendered it keeps, and not more than a hundred of them", async () => {
    const mod = await load("render");
    await using server = await mod.serve();
    const item = { id: "a", text: "x\nx\nabcdé\n", columns: 4 };
    const first = await server.render("render", item);
    expect(first.value).toEqual({ lines: ["x (2", " tim", "es)", "abcd", "é", ""], isSame: false });
    expect((await server.render("render", item)).value).toMatchObject({ isSame: true });
    for (let index = 0; index < 110; index += 1) {
      await server.render("render", { ...item, id: String(index) });
    }
    expect((await server.render("counts", null)).value).toEqual({ renders: 112, kept: 100 });
  });

  test("privacy-filter: one name for one text, under one key", async () => {
    const mod = await load("privacy-filter");
    const text = "From a.b@example.org to c@example.org, again a.b@example.org, at 10.0.0.1";
    const { value } = await mod.run<{ text: string; replaced: object }>("outgoing", { text });
    expect(value.replaced).toEqual({ email: 3, ipv4: 1 });
    const [first, second, third] = value.text.match(/‹email:[0-9a-f]{10}›/g)!;
    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect(value.text).not.toMatch(/example|10\.0/);
  });

  test("privacy-filter leaves a text without anything private as it is", async () => {
    const mod = await load("privacy-filter");
    expect((await mod.run("outgoing", { text: "Good morning" })).value).toEqual({
      text: "Good morning",
      replaced: {},
    });
  });
});
