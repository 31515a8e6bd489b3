import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readStoredVersion } from "./stored-version.ts";

test("what is stored is read, and nothing is made where nothing is", () =>
  withTempDir("codex-js-stored", async (dir) => {
    expect(await readStoredVersion(join(dir, "storage"), "@a/b", "1.0.0")).toBeUndefined();
    expect(await readdir(dir)).toEqual([]);
    await mkdir(join(dir, "@a", "b"), { recursive: true });
    const versions = { "1.0.0": { dist: { integrity: "sha512-x" } }, "2.0.0": {} };
    await writeFile(join(dir, "@a", "b", "package.json"), JSON.stringify({ versions }));
    const read = (version: string) => readStoredVersion(dir, "@a/b", version);
    expect(await Promise.all(["1.0.0", "2.0.0", "3.0.0"].map(read))).toEqual(["sha512-x", "", undefined]);
  }));

test.each(["", "{}", "null"])("metadata that says %o is an error with a remedy", (text) =>
  withTempDir("codex-js-stored", async (dir) => {
    await mkdir(join(dir, "a"));
    await writeFile(join(dir, "a", "package.json"), text);
    await expect(readStoredVersion(dir, "a", "1.0.0")).rejects.toMatchObject({
      code: "CODEX_JS_REGISTRY_STORAGE_DAMAGED",
      hint: expect.stringContaining(join(dir, "a")),
    });
  }),
);
