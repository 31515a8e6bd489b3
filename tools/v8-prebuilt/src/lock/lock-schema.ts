import { z } from "zod";

const triple = z.string().regex(/^[a-z0-9_]+(-[a-z0-9_]+){2,3}$/, "is no target triple");

/** It becomes a part of URLs and of paths below a mirror's folder. */
const relativePath = z
  .string()
  .regex(/^[\w.+-]+(\/[\w.+-]+)*$/, "is no plain relative path")
  .refine((path) => !path.split("/").some((part) => /^\.+$/.test(part)), "leaves its folder");

const httpUrl = z.url({ protocol: /^https?$/ });

const asset = z.strictObject({
  target: triple,
  kind: z.enum(["archive", "binding"]),
  /** Below `baseUrl`, or below a mirror. */
  path: relativePath,
  /** Where it is published, if that is not below `baseUrl`. */
  url: httpUrl.optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256 in lower-case hexadecimal"),
  sizeBytes: z.int().positive().optional(),
});

/** v8.lock.json: the one pin of V8. */
export const lockSchema = z
  .strictObject({
    version: z.literal(1),
    /** Version of the crate `v8`. */
    v8: z.string().regex(/^\d+\.\d+\.\d+$/, "is no version"),
    /** Where the bytes come from, in words. */
    origin: z.string().min(1),
    /** An http(s) URL, or a path from the lock's own folder; either ends with a slash. */
    baseUrl: z.union([
      httpUrl.refine((url) => url.endsWith("/"), "has no slash at its end"),
      relativeFolder(),
    ]),
    assets: z.array(asset).min(1),
  })
  .superRefine(({ assets }, { addIssue }) => {
    const seen = new Set<string>();
    for (const [index, { target, kind }] of assets.entries()) {
      const key = `${target} ${kind}`;
      if (seen.has(key)) addIssue({ code: "custom", path: ["assets", index], message: `is a second ${key}` });
      seen.add(key);
    }
    for (const target of new Set(assets.map((entry) => entry.target))) {
      if (seen.has(`${target} archive`)) continue;
      addIssue({ code: "custom", path: ["assets"], message: `have no archive for ${target}` });
    }
  });

/** `./` or a folder below it: a mirror that has its lock beside it. */
function relativeFolder() {
  return z
    .string()
    .regex(/^\.\/([\w+-][\w.+-]*\/)*$/, "is neither an http(s) URL nor a path that begins with ./");
}

export type V8LockData = z.infer<typeof lockSchema>;
export type LockedAsset = V8LockData["assets"][number];
