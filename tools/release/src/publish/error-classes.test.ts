import { expect, test } from "vitest";
import { classifyFailure, type ErrorClassName, errorClasses, type PublishFailure } from "./error-classes.ts";

const unknown: PublishFailure = { npmCode: "", said: "", found: "absent", unpublished: false };

/** One line for each class, with what npm really says where there is a public report of it. */
test.each<[ErrorClassName, Partial<PublishFailure>]>([
  ["distTagMoved", { found: "same", isTagMoved: true }],
  ["sameBytes", { npmCode: "E500", found: "same" }],
  ["sameBytes", { npmCode: "E409", found: "same" }],
  ["otherBytes", { npmCode: "E403", found: "different" }],
  [
    "unpublished",
    { npmCode: "E403", said: "You cannot publish over the previously published versions", unpublished: true },
  ],
  ["staged", { npmCode: "E403", said: "You cannot publish over the previously published versions: 1.0.0." }],
  // Said by npm itself, without a code.
  ["staged", { said: "npm error You cannot publish over the previously published versions: 1.0.0." }],
  ["transparencyLog", { npmCode: "TLOG_CREATE_ENTRY_ERROR", said: "error creating tlog entry - (409)" }],
  ["transparencyLog", { said: "npm error error creating tlog entry - (409) an equivalent entry" }],
  ["conflict", { npmCode: "E409", said: "409 Conflict - Failed to save packument." }],
  ["repository", { npmCode: "E422", said: 'package.json: "repository.url" is "", expected to match' }],
  ["auth", { npmCode: "E404", said: "404 Not Found - PUT https://registry.npmjs.org/@codex-js%2fsdk" }],
  ["auth", { npmCode: "E401" }],
  ["auth", { npmCode: "ENEEDAUTH" }],
  ["auth", { npmCode: "E403", said: "You do not have permission to publish" }],
  ["rateLimit", { npmCode: "E429" }],
  ["outage", { npmCode: "E503" }],
  ["outage", { npmCode: "ECONNRESET" }],
  ["refused", { npmCode: "E400" }],
  ["refused", { said: "killed" }],
])("%s: %j", (name, failure) => {
  expect(classifyFailure({ ...unknown, ...failure })).toBe(errorClasses[name]);
});

test("every class says what has happened and what to do", () => {
  for (const { meaning, remedy, code } of Object.values(errorClasses)) {
    expect([meaning, remedy, code]).toEqual([
      expect.stringMatching(/\w{3}/),
      expect.stringMatching(/\w{3}/),
      expect.stringMatching(/^CODEX_JS_RELEASE_/),
    ]);
  }
});
