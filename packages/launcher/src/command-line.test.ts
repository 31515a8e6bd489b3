import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";

const defaults = {
  command: "doctor",
  fix: false,
  dryRun: false,
  json: false,
  profile: undefined,
  runs: 5,
  deadlineMs: 30_000,
};

test("the doctor's options", () => {
  expect([
    parseCommandLine(["doctor"]),
    parseCommandLine([
      "doctor",
      "--fix",
      "--dry-run",
      "-p",
      "work",
      "--runs=2",
      "--timeout",
      "1.5",
      "--json",
    ]),
  ]).toEqual([
    defaults,
    { ...defaults, fix: true, dryRun: true, json: true, profile: "work", runs: 2, deadlineMs: 1500 },
  ]);
});

test.each([
  [["nope"]],
  [["--nope"]],
  [["doctor", "--nope"]],
  [["doctor", "extra"]],
  [["doctor", "--dry-run"]],
  [["doctor", "--runs", "0"]],
  [["doctor", "--runs", "1.5"]],
  [["doctor", "--runs", ""]],
  [["doctor", "--timeout", "x"]],
  [["doctor", "--profile", "../up"]],
])("%j is wrong", (args) => {
  expect(parseCommandLine(args)).toEqual({ command: "wrong", message: expect.stringMatching(/./) });
});

test.each([[[]], [["--help"]], [["help"]], [["doctor", "-h"]]])("%j is help", (args) => {
  expect(parseCommandLine(args)).toEqual({
    command: "text",
    text: expect.stringMatching(/^Usage: codex-js/),
  });
});
