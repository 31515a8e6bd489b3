import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findPackageDir } from "@codex-js/platforms/find-package";
import { ModError } from "../index.ts";

export interface TypeScript {
  version: string;
  /** Path of the compiler's script. */
  tsc: string;
}

/** The first version that is native. */
export const wantedMajor = 7;

/**
 * The author's own TypeScript: the mod's, or the one of the folder that the command runs in.
 * @throws ModError invalid_argument where there is none, or an older one
 */
export function findTypeScript(folders: readonly string[]): TypeScript {
  const dirs = folders.map((folder) => findPackageDir(join(folder, "mod.json"), "typescript"));
  const dir = dirs.find((found) => found !== undefined);
  const hint = `run: npm install --save-dev typescript@${wantedMajor}`;
  if (dir === undefined) {
    throw new ModError("invalid_argument", `there is no TypeScript in ${folders.join(" or ")}, or above`, {
      hint,
    });
  }
  const { version, bin } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  if (Number.parseInt(version, 10) < wantedMajor) {
    throw new ModError(
      "invalid_argument",
      `${dir} is TypeScript ${version}, expected ${wantedMajor} or newer`,
      {
        hint,
      },
    );
  }
  return { version, tsc: join(dir, bin.tsc) };
}
