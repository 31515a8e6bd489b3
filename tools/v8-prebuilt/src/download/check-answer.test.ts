import { expect, test } from "vitest";
import { checkRedirects, looksLikePage } from "./check-answer.ts";

const urls = (...list: string[]) => list.map((url) => new URL(url));

test("a redirect may not leave TLS", () => {
  expect(() => checkRedirects(urls("https://a/x?secret=1", "https://b/y", "http://c/z?secret=2"))).toThrow(
    "https://a/x redirects from https to http://c/z",
  );
});

test.each([
  [["https://a/"]],
  [["http://a/", "http://b/"]],
  [["http://a/", "https://b/"]],
  [["https://a/", "https://b/"]],
])("%j is fine", (list) => {
  expect(() => checkRedirects(urls(...list))).not.toThrow();
});

test.each([
  ["<!DOCTYPE html>", true],
  ["\n  <html lang=en>", true],
  ["<htmlish>", false],
  ["// a Rust binding", false],
  ["\u001f\u008b", false],
])("%j", (text, isPage) => {
  expect(looksLikePage(Buffer.from(text, "latin1"))).toBe(isPage);
});
