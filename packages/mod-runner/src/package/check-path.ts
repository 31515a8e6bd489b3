import { limits } from "../../generated/limits.ts";

export const manifestPath = "mod.json";

/** What the runner takes; other files of a package (a README, an image) are not read. */
const modulePattern = /\.(?:ts|mts|js|mjs|json)$/;

export function isModulePath(path: string): boolean {
  return modulePattern.test(path);
}

/** Why the protocol does not allow this path in a package; undefined for one that it does. */
export function checkModulePath(path: string): string | undefined {
  const bytes = Buffer.byteLength(path);
  if (bytes > limits.modulePathBytes)
    return `is ${bytes} bytes long, expected at most ${limits.modulePathBytes}`;
  if (/[\p{Cc}\\%:?#]/u.test(path)) return "has a control character, or one of \\ % : ? #";
  if (!path.isWellFormed()) return "is no Unicode text";
  if (path.split("/").some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "is no plain relative path";
  }
  return isModulePath(path) ? undefined : "is no .ts, .mts, .js, .mjs or .json file";
}
