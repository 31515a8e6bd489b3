import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { findLeftOut } from "./find-left-out.ts";
import type { PackageManifest } from "./types.ts";

const version = "1.0.0";

async function find(text: string | undefined, manifest: Partial<PackageManifest> = { os: ["linux"] }) {
  return withTempDir("codex-js-left-out", async (dir) => {
    if (text !== undefined) await writeFile(join(dir, "build.json"), text);
    return findLeftOut({ name: "a", version, dir, manifest: { name: "a", version, ...manifest } }).catch(
      (error: unknown) => error,
    );
  });
}

test("one that was left out says why, one that was built is packed", async () => {
  const reason = "it is built elsewhere";
  expect(await find(JSON.stringify({ version: 1, status: "left-out", reason }))).toEqual({
    name: "a",
    version,
    reason,
  });
  expect(await find('{"version":1,"status":"built"}')).toBeUndefined();
});

test("what is for every platform has no such file", async () => {
  expect(await find(undefined, {})).toBeUndefined();
});

test.each([
  [undefined, "is not there"],
  ["{", "does not say what was built"],
  ["null", "does not say what was built"],
  ['{"status":"left-out"}', "does not say what was built"],
])("a platform package without a build is a fault: %s", async (text, said) => {
  expect(await find(text)).toMatchObject({
    code: "CODEX_JS_PACK_NOT_BUILT",
    message: expect.stringContaining(said),
  });
});
