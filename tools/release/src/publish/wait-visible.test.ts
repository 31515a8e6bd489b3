import { expect, test } from "vitest";
import type { ManifestPackage } from "../pack/manifest.ts";
import type { ReleaseTarget } from "../targets/target.ts";
import { waitUntilVisible } from "./wait-visible.ts";

test("the last pause is cut to what is left of the time", async () => {
  const times = [0, 0, 20];
  let looks = 0;
  const target = {
    name: "test",
    lookup: async () => {
      looks += 1;
      return undefined;
    },
  } as unknown as ReleaseTarget;
  const pkg = { name: "core", version: "1.0.0" } as ManifestPackage;
  const context = { now: () => new Date(times.shift() ?? 20), signal: new AbortController().signal };
  await expect(
    waitUntilVisible([pkg], { context, target, timeoutMs: 20, pollDelaysMs: [600_000] }),
  ).rejects.toMatchObject({ code: "CODEX_JS_RELEASE_NOT_VISIBLE" });
  expect(looks).toBe(2);
});
