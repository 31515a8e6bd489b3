import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { describeFullDisk, requireSpace, saysDiskFull } from "./disk-space.ts";

test("what fits is no error, what does not names the folder, the need and what is free", async () => {
  await withTempDir("codex-js-smoke-disk", async (dir) => {
    await requireSpace([{ dir, bytes: 1 }]);
    await expect(requireSpace([{ dir, bytes: 1e18 }])).rejects.toMatchObject({
      code: "CODEX_JS_SMOKE_DISK_FULL",
      exitCode: 3,
      message: expect.stringMatching(
        new RegExp(`^not enough space on the disk of ${dir}: 1000000000000\\.0 MB wanted, .* free$`),
      ),
    });
  });
});

test("folders on one disk are counted together", async () => {
  await withTempDir("codex-js-smoke-disk", async (dir) => {
    await expect(
      requireSpace([
        { dir, bytes: 5e17 },
        { dir, bytes: 5e17 },
      ]),
    ).rejects.toThrow("1000000000000.0 MB wanted");
  });
});

test("a disk that turned out to be full is named with its cause", async () => {
  await withTempDir("codex-js-smoke-disk", async (dir) => {
    const cause = new Error("npm error code ENOSPC");
    expect(await describeFullDisk([dir], cause)).toMatchObject({
      code: "CODEX_JS_SMOKE_DISK_FULL",
      message: expect.stringContaining(dir),
      cause,
    });
  });
});

test.each([
  ["npm error code ENOSPC", true],
  ["ENOSPC: no space left on device", true],
  ["failed to write: No space left\n      on device (os error 28)", true],
  ["npm error code E404", false],
])("%j says that the disk is full: %s", (output, full) => {
  expect(saysDiskFull(output)).toBe(full);
});
