import { expect, test } from "vitest";
import {
  type CliContext,
  Command,
  createProcessContext,
  exitCodes,
  runWithContext,
  ToolError,
} from "./index.ts";

function createTestContext(): CliContext & { out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  return {
    ...createProcessContext(new AbortController().signal),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    out,
    err,
  };
}

const define = (context: CliContext) => {
  const program = new Command("tool").description("does it");
  program
    .command("check")
    .option("--json", "machine-readable output")
    .action(() => {
      throw new ToolError({
        code: "CODEX_JS_TEST_BROKEN",
        message: "token npm_0123456789abcdef is wrong",
        hint: "log in again",
        exitCode: exitCodes.checkFailed,
        cause: new Error("HTTP 401", { cause: new Error("Bearer abcdefghijkl refused") }),
      });
    });
  program.command("say <word>").action((word: string) => void context.stdout.write(`${word}\n`));
  return program;
};

test("a result goes to stdout and the code is 0", async () => {
  const context = createTestContext();
  expect([await runWithContext(define, context, ["say", "hello"]), context.out, context.err]).toEqual([
    0,
    ["hello\n"],
    [],
  ]);
});

test("an error prints message, causes and remedy, without secrets, and gives its exit code", async () => {
  const context = createTestContext();
  expect(await runWithContext(define, context, ["check"])).toBe(1);
  expect(context.err.join("")).toBe(
    "error: token npm_*** is wrong (CODEX_JS_TEST_BROKEN)\n  caused by: HTTP 401\n  caused by: Bearer *** refused\n  fix: log in again\n",
  );
});

test.each([
  [["check", "--jsn"], "--json"],
  [["chekc"], "check"],
  [["say"], "word"],
])("%j is a usage error", async (argv, suggestion) => {
  const context = createTestContext();
  expect(await runWithContext(define, context, argv)).toBe(2);
  expect(context.err.join("")).toContain(suggestion);
});

test("--help is a result", async () => {
  const context = createTestContext();
  expect(await runWithContext(define, context, ["--help"])).toBe(0);
  expect(context.out.join("")).toContain("does it");
});
