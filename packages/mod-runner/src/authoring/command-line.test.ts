import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";

test("run with everything", () => {
  const args = [
    "run",
    "dir",
    "--hook",
    "h",
    "--input",
    "-",
    "--reply",
    "a=1",
    "--reply",
    'b={"c":"="}',
    "--budget",
    "5",
    "--json",
  ];
  expect(parseCommandLine(args)).toEqual({
    command: "run",
    folder: "dir",
    hook: "h",
    input: "-",
    replies: { a: 1, b: { c: "=" } },
    budgetMs: 5,
    sandbox: undefined,
    json: true,
  });
});

test("check is of this folder unless another is named", () => {
  expect(parseCommandLine(["check"])).toMatchObject({ command: "check", folder: ".", json: false });
});

test.each<[string[], string]>([
  [["fly"], "there is no command fly"],
  [["run", "a", "b"], "run takes one folder, and there is b as well"],
  [["init"], "init needs a FOLDER"],
  [["run", "--budget", "soon"], "--budget is soon, expected milliseconds"],
  [["run", "--reply", "x"], "--reply is x, expected NAME=JSON"],
  [["run", "--reply", "x=main"], "--reply x: main is no JSON; a text is written '\"text\"'"],
  [["check", "--hook", "x"], "Unknown option '--hook'"],
])("%j is wrong", (args, message) => {
  const wrong = { command: "wrong", message: expect.stringContaining(message) };
  expect(parseCommandLine(args)).toEqual({ ...wrong, json: false });
  expect(parseCommandLine([...args, "--json"])).toEqual({ ...wrong, json: true });
});

test.each([[[]], [["--help"]], [["run", "--help"]]])("%j is told", (args) => {
  expect(parseCommandLine(args)).toEqual({
    command: "text",
    text: expect.stringContaining("Usage: codex-js-mod"),
  });
});
