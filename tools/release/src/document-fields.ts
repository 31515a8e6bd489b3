import { isAbsolute } from "node:path";
import semver from "semver";
import { z } from "zod";

/** Fields that several documents have; types and checks of each document come from the one schema. */
export const packageName = z.string().min(1);
export const packageVersion = z
  .string()
  .refine((text) => semver.valid(text) !== null, "expected a semantic version");
/** Full hash: SHA-1, or SHA-256 in a repository of that kind. */
export const commitHash = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, "expected a full commit hash");
/** sha512 in the form of Subresource Integrity. */
export const integrity = z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/, "expected a sha512 integrity");
export const sizeBytes = z.int().nonnegative();
export const absolutePath = z.string().refine((path) => isAbsolute(path), "expected an absolute path");

/** Documents list packages by name, each once and at least one: a release of nothing is none. */
export function packageList<Item extends z.ZodType<{ name: string }>>(item: Item) {
  return z
    .array(item)
    .min(1)
    .refine(
      (packages) => new Set(packages.map(({ name }) => name)).size === packages.length,
      "expected each package once",
    );
}
