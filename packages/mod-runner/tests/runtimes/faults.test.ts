import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import { createFakeRunner } from "../fake-runner/create.ts";
import { type FakePlan, type FakeStep, ready, usage } from "../fake-runner/plan.ts";
import { createTempDir } from "../temp-dir.ts";
import { type DriveOptions, driveHost, driveProcess, runtimeNames } from "./runtimes.ts";

const request = { type: "hostRequest", callback: "$ID", request: "$REQUEST", operation: "op", input: null };
const result = { type: "result", id: "$ID", value: 1, usage };
const deepArray = `${"[".repeat(200)}${"]".repeat(200)}`;

/** What a runner says, and the code that the caller gets; the next callback is answered by a healthy one. */
const faults: [name: string, steps: FakeStep[], code: string, message: RegExp][] = [
  ["exits 0 without an answer", [{ exit: 0 }], "mod_crashed", /without an answer \(exit code 0\)/],
  [
    "exits with its own fault",
    [{ stderr: "a\npanicked\n" }, { exit: 101 }],
    "mod_crashed",
    /exit code 101: panicked/,
  ],
  ["is SIGKILLed", [{ kill: "SIGKILL" }], "mod_crashed", /signal SIGKILL/],
  [
    "reaches the heap's limit",
    [{ stderr: "Reached heap limit\n" }, { exit: 134 }],
    "mod_out_of_memory",
    /heap limit/,
  ],
  ["is ended by SIGABRT", [{ kill: "SIGABRT" }], "mod_out_of_memory", /SIGABRT/],
  ["exits as V8 does without memory", [{ exit: 133 }], "mod_out_of_memory", /133/],
  ["is ended by SIGTRAP", [{ kill: "SIGTRAP" }], "mod_out_of_memory", /SIGTRAP/],
  ["cannot be interrupted", [{ exit: 70 }], "mod_timeout", /could not be interrupted/],
  ["sends no JSON", [{ text: "nonsense\n" }], "mod_crashed", /no JSON: "nonsense"/],
  ["sends invalid UTF-8", [{ base64: "ImH/Igo=" }], "mod_crashed", /not UTF-8/],
  ["sends JSON that is no message", [{ text: "[1]\n" }], "mod_crashed", /wrong shape/],
  ["sends a message of no known type", [{ line: { type: "shout" } }], "mod_crashed", /none of the 7 things/],
  ["sends a field too many", [{ line: { ...result, more: 1 } }], "mod_crashed", /more is not known/],
  [
    "sends a result without usage",
    [{ line: { type: "result", id: "$ID", value: 1 } }],
    "mod_crashed",
    /usage is missing/,
  ],
  ["answers another callback", [{ line: { ...result, id: 77 } }], "mod_crashed", /callback 77/],
  ["sends a second ready line", [{ line: ready }], "mod_crashed", /ready line/],
  [
    "answers with loaded",
    [{ line: { type: "loaded", id: "$ID", usage } }],
    "mod_crashed",
    /result was expected/,
  ],
  ["asks for another callback", [{ line: { ...request, callback: 9 } }], "mod_crashed", /callback 9/],
  [
    "repeats a request's number",
    [{ line: { ...request, request: 5 } }, { line: { ...request, request: 5 } }],
    "mod_crashed",
    /request 5 after 5/,
  ],
  [
    "sends a line without an end",
    [{ repeat: "x", bytes: 20_000_000 }],
    "mod_crashed",
    /more than 16777216 bytes/,
  ],
  [
    "sends a result that is nested too deep",
    [
      {
        text: JSON.stringify({ ...result, value: "@" })
          .replace('"@"', deepArray)
          .concat("\n"),
      },
    ],
    "mod_crashed",
    /nesting/,
  ],
  [
    "sends a __proto__",
    [
      {
        text: JSON.stringify({ ...result, value: "@" })
          .replace('"@"', '{"a":{"__proto__":1}}')
          .concat("\n"),
      },
    ],
    "mod_crashed",
    /__proto__/,
  ],
  ["sends half a line and exits", [{ text: '{"type":"resu' }, { exit: 0 }], "mod_crashed", /exit code 0/],
  [
    "floods the log",
    Array.from({ length: 201 }, () => ({ line: { type: "log", id: "$ID", level: "info", text: "x" } })),
    "mod_crashed",
    /log lines/,
  ],
  [
    "says that our line was wrong",
    [
      { line: { type: "error", id: null, code: "protocol_error", message: "bad line", reason: "malformed" } },
      { exit: 3 },
    ],
    "protocol_error",
    /bad line/,
  ],
  [
    "says that it failed itself",
    [{ error: { code: "runner_internal_error", message: "oh" } }],
    "runner_internal_error",
    /oh/,
  ],
];

describe.each(runtimeNames)("a runner's faults, on %s", (runtime) => {
  const run = (plan: FakePlan, options: DriveOptions = {}) => {
    const runnerPath = createFakeRunner(createTempDir(), plan);
    return driveHost(runtime, { ...options, host: { runnerPath, ...options.host } });
  };

  test.each(faults)("one that %s", async (_, steps, code, message) => {
    const { outcomes } = await run({ turns: [[...steps, { deafen: true }]] });
    expect(outcomes).toEqual([
      { error: expect.objectContaining({ code, message: expect.stringMatching(message) }) },
    ]);
  });

  test("after each of them the next callback has a healthy runner", async () => {
    const { outcomes } = await run(
      { turns: [[{ answer: 1 }], [{ text: "nonsense\n" }, { deafen: true }]] },
      { calls: [{}, {}, {}, {}] },
    );
    expect(outcomes.map(({ value, error }) => value ?? error?.code)).toEqual([
      1,
      "mod_crashed",
      1,
      "mod_crashed",
    ]);
  });

  test("a runner that speaks while nothing runs is ended, and no callback is lost", async () => {
    const late = [{ answer: 1 }, { line: { ...result, id: 1 } }];
    const { outcomes, events } = await run({ turns: [late] }, { calls: [{}, {}] });
    expect(outcomes.map(({ value, error }) => value ?? error?.code)).toEqual([1, expect.anything()]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "runner-ended",
        reason: "fault",
        fault: expect.stringContaining("not running"),
      }),
    );
  });

  test.each<[string, FakePlan, string, RegExp]>([
    ["is never ready", { start: [{ deafen: true }] }, "runner_unavailable", /took too long/],
    [
      "ends before it is ready",
      { start: [{ stderr: "no\n" }, { exit: 1 }] },
      "runner_unavailable",
      /exit code 1: no/,
    ],
    [
      "speaks another protocol",
      { start: [{ line: { ...ready, protocolVersion: 2 } }] },
      "runner_unavailable",
      /protocol 2, this host speaks 1/,
    ],
    [
      "greets with something else",
      { start: [{ text: "hello\n" }] },
      "runner_unavailable",
      /no JSON: "hello"/,
    ],
    [
      "has no sandbox",
      {
        start: [
          { line: { type: "error", id: null, code: "sandbox_unavailable", message: "no Landlock" } },
          { exit: 4 },
        ],
      },
      "sandbox_unavailable",
      /no Landlock/,
    ],
  ])("one that %s", async (_, plan, code, message) => {
    const { outcomes } = await run(plan, { host: { limits: { startMs: 1000 } } });
    expect(outcomes).toEqual([
      { error: expect.objectContaining({ code, message: expect.stringMatching(message) }) },
    ]);
  });

  test("one that does not stop at its budget's end is ended", async () => {
    const { outcomes } = await run({ turns: [[{ deafen: true }]] }, { calls: [{ budgetMs: 1 }] });
    expect(outcomes).toEqual([{ error: expect.objectContaining({ code: "mod_timeout" }) }]);
  });

  test("one that has more memory than it may have is ended", async () => {
    const { outcomes } = await run(
      { turns: [[{ allocate: 100_000_000 }, { deafen: true }]] },
      { host: { limits: { memoryBytes: 100_000_000 } } },
    );
    expect(outcomes).toEqual([
      {
        error: expect.objectContaining({
          code: "mod_out_of_memory",
          message: expect.stringContaining("more than 100000000 bytes"),
          hint: "keep less at a time, or raise limits.memoryBytes",
        }),
      },
    ]);
  });

  test.each([
    ["answers", [{ read: "cancel" }, { error: { code: "mod_cancelled", message: "cancelled" } }]],
    ["does not", [{ deafen: true as const }]],
  ])("cancelling a callback whose runner %s", async (_, steps) => {
    const file = join(createTempDir(), "started");
    const { outcomes } = await run(
      { turns: [[{ touch: file }, ...steps]] },
      { calls: [{ abort: { onFile: file } }, { abort: "before" }] },
    );
    const cancelled = { error: expect.objectContaining({ code: "mod_cancelled", cause: "Error: enough" }) };
    expect(outcomes).toEqual([cancelled, cancelled]);
  });

  test("SIGKILL during a host operation: the callback fails, the operation is told", async () => {
    const dir = createTempDir();
    const [started, aborted] = [join(dir, "started"), join(dir, "aborted")];
    const { outcomes } = await run(
      { turns: [[{ line: request }, { await: started }, { kill: "SIGKILL" }]] },
      { host: { grants: ["op"] }, operations: { op: { hangs: started, touch: aborted } } },
    );
    expect(outcomes).toEqual([{ error: expect.objectContaining({ code: "mod_crashed" }) }]);
    expect(existsSync(aborted)).toBe(true);
  });

  test("a host that is closed ends what runs and what waits", async () => {
    const file = join(createTempDir(), "started");
    const { outcomes, events } = await run(
      { turns: [[{ touch: file }, { deafen: true }]] },
      { host: { pool: { runners: 1 } }, calls: [{ times: 5, closeOnFile: file }] },
    );
    expect(outcomes).toEqual([{ counts: { mod_cancelled: 5 } }]);
    const [started] = events.filter(({ type }) => type === "runner-started");
    await waitUntilGone((started as { pid: number }).pid);
  });

  test("1,000 callbacks at once: those that find a place run, the others are refused at once", async () => {
    const { outcomes, counts } = await run(
      { turns: [[{ answer: 1 }]] },
      { host: { pool: { runners: 2, queue: 100 } }, calls: [{ times: 1000 }] },
    );
    expect(outcomes).toEqual([{ counts: { ok: 102, runner_busy: 898 } }]);
    expect(counts).toMatchObject({ busy: 0, waiting: 0 });
  });

  test("a runner that was ended takes no place from those who come next", async () => {
    const { outcomes } = await run(
      { turns: [[{ error: { code: "mod_syntax_error", message: "x" } }]] },
      { host: { pool: { runners: 2, queue: 3 } }, calls: [{ times: 7 }, { times: 7 }, { times: 7 }] },
    );
    const burst = { counts: { mod_syntax_error: 5, runner_busy: 2 } };
    expect(outcomes).toEqual([burst, burst, burst]);
  });

  test("a call that waits for an open server keeps its program alive, and is refused after its time", async () => {
    const { outcomes, counts } = await run(
      { turns: [[{ answer: 1 }]] },
      {
        host: { pool: { runners: 1 } },
        calls: [{ render: true }, { budgetMs: 1 }, { times: 2, budgetMs: 1 }, { render: true }],
        leavesOpen: true,
      },
    );
    expect(outcomes).toEqual([
      expect.objectContaining({ value: 1 }),
      {
        error: expect.objectContaining({
          code: "runner_busy",
          message: "open servers have the only runner, and none of them was closed in 1 ms",
          hint: "close a server first, or raise pool.runners",
        }),
      },
      { counts: { runner_busy: 2 } },
      expect.objectContaining({ value: 1 }),
    ]);
    expect(counts).toMatchObject({ waiting: 0 });
  });

  test.each(["exit", "kill"] as const)("no runner outlives a host that ends by %s", async (how) => {
    const file = join(createTempDir(), "started");
    const pidFile = join(createTempDir(), "fake");
    const runnerPath = createFakeRunner(createTempDir(), {
      turns: [[{ touch: file }, { read: "nothing" }]],
      pidFile,
    });
    await driveProcess(runtime, {
      host: { runnerPath, pool: { spare: 0 } },
      calls: [{ endOnFile: { path: file, how } }],
    });
    await waitUntilGone(Number(readFileSync(pidFile, "utf8")));
  });

  test("a program whose host is left open ends by itself", async () => {
    const { outcomes } = await run({ turns: [[{ answer: 1 }]] }, { leavesOpen: true });
    expect(outcomes).toEqual([expect.objectContaining({ value: 1 })]);
  });
});
