import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { copyWorkingTree } from "../src/staging/copy-working-tree.ts";
import { commitAll } from "./fixture-workspace.ts";
import { createTestContext } from "./test-context.ts";

test.skipIf(process.platform === "win32")(
  "what git tracks or would track, as it is on disk, and nothing of the folder that it is copied into",
  () =>
    withTempDir("codex-js-copy", async (dir) => {
      writeFileSync(join(dir, ".gitignore"), "ignored\n");
      for (const name of ["tracked", "deleted", "tool.sh", "ümläut\n name"])
        writeFileSync(join(dir, name), "old");
      chmodSync(join(dir, "tool.sh"), 0o755);
      symlinkSync("tracked", join(dir, "link"));
      symlinkSync("nowhere", join(dir, "dangling"));
      commitAll(dir);
      rmSync(join(dir, "deleted"));
      writeFileSync(join(dir, "tracked"), "new");
      writeFileSync(join(dir, "untracked"), "");
      writeFileSync(join(dir, "ignored"), "");
      // Not ignored by git, and still no part of the copy.
      const outDir = join(dir, "out");
      mkdirSync(join(outDir, "old"), { recursive: true });
      writeFileSync(join(outDir, "old", "file"), "");

      const copy = join(outDir, "staging");
      expect(await copyWorkingTree(createTestContext(), dir, copy, outDir)).toBe(7);
      expect(readdirSync(copy).sort()).toEqual(
        [".gitignore", "dangling", "link", "tool.sh", "tracked", "untracked", "ümläut\n name"].sort(),
      );
      expect({
        link: readlinkSync(join(copy, "link")),
        dangling: readlinkSync(join(copy, "dangling")),
        mode: statSync(join(copy, "tool.sh")).mode & 0o777,
        sizeBytes: statSync(join(copy, "tracked")).size,
      }).toEqual({ link: "tracked", dangling: "nowhere", mode: 0o755, sizeBytes: 3 });
    }),
);
