import { expect, test } from "vitest";
import { pickDistTag } from "./create-plan.ts";

test.each([
  ["1.2.3", "latest"],
  ["1.2.3-beta.0", "beta"],
  ["1.2.3-0", "next"],
  ["1.2.3+build.5", "latest"],
])("%s goes to the dist-tag %s", (version, tag) => {
  expect(pickDistTag(version)).toBe(tag);
});
