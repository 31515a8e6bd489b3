import { expect, test } from "vitest";
import { ModError } from "./errors.ts";

test("an error has the fields that something is known about, and no others to be printed", () => {
  const error = new ModError("mod_invalid", "text", { hint: "do it", cause: 1 });
  expect({ ...error, cause: error.cause }).toEqual({
    name: "ModError",
    code: "mod_invalid",
    frames: [],
    hint: "do it",
    cause: 1,
  });
  expect(Object.keys(error)).not.toContain("stats");
  expect(error.stats).toBeUndefined();
});
