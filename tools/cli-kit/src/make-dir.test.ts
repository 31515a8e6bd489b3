import { existsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDir } from "./make-dir.ts";
import { withTempDir } from "./temp-dir.ts";

test("makes what is missing, by several at once, and leaves what is there", () =>
  withTempDir("codex-js-make-dir", async (dir) => {
    const deep = join(dir, "a", "b", "c");
    await Promise.all([makeDir(deep), makeDir(deep), makeDir(join(dir, "a", "b", "d"))]);
    await makeDir(deep);
    expect([statSync(deep).isDirectory(), existsSync(join(dir, "a", "b", "d"))]).toEqual([true, true]);
  }));

test("a file in the way is an error", () =>
  withTempDir("codex-js-make-dir", async (dir) => {
    writeFileSync(join(dir, "file"), "");
    await expect(makeDir(join(dir, "file"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(makeDir(join(dir, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
  }));

// Node's recursive mkdir does not come back from either.
test.skipIf(process.platform === "win32")("below a dangling link it ends with an error", () =>
  withTempDir("codex-js-make-dir", async (dir) => {
    symlinkSync(join(dir, "gone"), join(dir, "link"));
    await expect(makeDir(join(dir, "link", "below"))).rejects.toMatchObject({ code: "ENOENT" });
  }),
);

test.skipIf(process.platform !== "linux")("below /proc it ends with an error", async () => {
  await expect(makeDir("/proc/codex-js/below")).rejects.toMatchObject({ code: "ENOENT" });
});
