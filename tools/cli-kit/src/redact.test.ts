import { expect, test } from "vitest";
import { redact, registerSecret } from "./redact.ts";

test.each([
  ["https://me:secret@npm.corp.test/x", "https://***@npm.corp.test/x"],
  ["https://token@npm.corp.test/", "https://***@npm.corp.test/"],
  ["https://npm.corp.test/@scope/name", "https://npm.corp.test/@scope/name"],
  ["//npm.corp.test/:_authToken=abc", "//npm.corp.test/:_authToken=***"],
  ["token 0123456789abcdef0123456789abcdef01234567", "token ***"],
  ["the token understandably expired", "the token understandably expired"],
])("%s by its shape", (text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

test("a registered secret by its value, the longer one first; short ones would hit ordinary words", () => {
  for (const secret of ["plainword", "plainword-and-more", "the"]) registerSecret(secret);
  expect(redact("the registry does not know plainword-and-more, nor plainword")).toBe(
    "the registry does not know ***, nor ***",
  );
});
