import { expect, test } from "vitest";
import { createTerminalReplies } from "./terminal-replies.ts";
import { readVisibleText } from "./visible-text.ts";

function answersTo(...chunks: string[]): string[] {
  const answers: string[] = [];
  const feed = createTerminalReplies((answer) => answers.push(answer));
  for (const chunk of chunks) feed(chunk);
  return answers;
}

test("answers in the order of the questions", () => {
  const start = "\x1b[>7u\x1b[?1004h\x1b[?u\x1b[?1007$p\x1b[c\x1b[6n\x1b]10;?\x1b\\\x1b]11;?\x1b\\";
  expect(answersTo(start)).toEqual([
    "\x1b[?0u",
    "\x1b[?1007;0$y",
    "\x1b[?62;22c",
    "\x1b[1;1R",
    "\x1b]10;rgb:dddd/dddd/dddd\x1b\\",
    "\x1b]11;rgb:1111/1111/1111\x1b\\",
  ]);
});

test("a question cut in two is answered once", () => {
  expect(answersTo("text \x1b]11", ";?\x1b\\ text", " more \x1b[", "6n", "\x1b[6n")).toEqual([
    "\x1b]11;rgb:1111/1111/1111\x1b\\",
    "\x1b[1;1R",
    "\x1b[1;1R",
  ]);
});

test("visible text has no control sequences left", () => {
  expect(
    readVisibleText(
      "\x1b]0;a title\x07\x1b[37;1H\x1b[1m›\x1b[37;3H\x1b[22m\x1b[2mAsk  Codex\x1b[0m\x1b(B to\r\n do",
    ),
  ).toBe(" › Ask Codex to do");
});
