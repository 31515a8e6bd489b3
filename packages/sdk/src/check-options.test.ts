import { expect, test } from "vitest";
import {
  checkClientOptions,
  checkNumbers,
  checkThreadId,
  checkThreadOptions,
  checkTurnOptions,
} from "./check-options.ts";

const invalid = (message: RegExp) =>
  expect.objectContaining({ code: "CODEX_JS_SDK_CONFIG_INVALID", message: expect.stringMatching(message) });

test.each(["--all", "-csandbox_mode=x", "", " ", " a", "a ", "a\0", "a\nb", 5, undefined])(
  "is no id of a thread: %j",
  (id) => {
    const error = { code: "CODEX_JS_SDK_INPUT_INVALID" };
    expect(() => checkThreadId(id)).toThrow(expect.objectContaining(error));
  },
);

test.each([null, "thread-9", "the name of a thread"])("is one: %j", (id) => checkThreadId(id));

test.each([
  ["apiKey", { apiKey: 5 }],
  ["apiKey", { apiKey: "sk-secret\0" }],
  ["env.MY_TOKEN", { env: { MY_TOKEN: "sk-secret\0" } }],
  ["baseUrl", { baseUrl: 7 }],
  ["codexPathOverride", { codexPathOverride: 3 }],
  ["transport", { transport: "http" }],
  ["configOverrides", { configOverrides: "a=1" }],
  ["configOverrides", { configOverrides: 5 }],
  ["configOverrides[1]", { configOverrides: ["a=1", null] }],
])("names the client's option and not its value: %s", (name, options) => {
  expect(() => checkClientOptions(options as never)).toThrow(
    invalid(new RegExp(`^${name.replace(/[[\].]/g, "\\$&")} has to be (?!.*secret)`)),
  );
});

test("keeps overrides that can be read once only", () => {
  const configOverrides = new Set(["a=1"]).values();
  expect(checkClientOptions({ configOverrides })).toEqual({ configOverrides: ["a=1"] });
  expect(checkClientOptions(null)).toEqual({});
});

test.each([
  ["model", { model: 3 }],
  ["workingDirectory", { workingDirectory: "/\0" }],
  ["additionalDirectories", { additionalDirectories: "/tmp" }],
  ["additionalDirectories[0]", { additionalDirectories: [null] }],
])("names the thread's option: %s", (name, options) => {
  expect(() => checkThreadOptions(options as never)).toThrow(naming(name));
});

test("takes null for what is left out", () => {
  const nothing = { model: null, additionalDirectories: null, sandboxMode: undefined };
  expect(checkThreadOptions(nothing as never)).toEqual({});
  expect(checkTurnOptions({ signal: null } as never)).toEqual({});
  expect(checkTurnOptions(null)).toEqual({});
});

test.each([{}, "abort", 1, new AbortController()])("is no signal: %j", (signal) => {
  expect(() => checkTurnOptions({ signal } as never)).toThrow(naming("signal"));
});

test.each([
  ["idleTimeoutMs", { idleTimeoutMs: Number.NaN }],
  ["idleTimeoutMs", { idleTimeoutMs: Number.POSITIVE_INFINITY }],
  ["startTimeoutMs", { startTimeoutMs: -1 }],
  ["interruptTimeoutMs", { interruptTimeoutMs: "5" }],
  ["deadlines.default", { deadlines: { default: Number.NaN } }],
  ["deadlines.methods.thread/list", { deadlines: { methods: { "thread/list": -1 } } }],
  ["restart.maxCrashes", { restart: { maxCrashes: Number.NaN } }],
  ["closeLadder", { closeLadder: 5 }],
])("names the number: %s", (name, options) => {
  expect(() => checkNumbers(options)).toThrow(naming(name));
});

test("Infinity is never where a wait may be endless", () => {
  const never = Number.POSITIVE_INFINITY;
  checkNumbers({
    deadlines: { default: never, methods: { "thread/list": never } },
    startTimeoutMs: never,
    restart: { maxCrashes: never, windowMs: 1 },
    clientInfo: { version: 5 },
  });
});

function naming(name: string) {
  return invalid(new RegExp(`^${name.replace(/[[\].]/g, "\\$&")} has to be `));
}
