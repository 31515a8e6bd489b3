import { limits } from "../../generated/limits.ts";
import type { ModManifest } from "../../generated/manifest.ts";
import { manifestSchema } from "../../generated/schemas.ts";
import { ModError } from "../errors.ts";
import type { HookTarget } from "../package/mod-package.ts";
import { checkSchema } from "../schema/check-schema.ts";

/** The protocol that this library speaks. */
export const protocolVersion: number = limits.version;

/**
 * Reads `mod.json`.
 * @throws ModError mod_invalid with every problem that there is
 */
export function parseManifest(text: string | undefined, folder: string | undefined): ModManifest {
  const place = folder === undefined ? "mod.json" : `${folder}/mod.json`;
  if (text === undefined) {
    throw new ModError("mod_invalid", `there is no ${place}`, {
      hint: "codex-js-mod init NAME writes a mod",
    });
  }
  const manifest = parseJson(text, place);
  const problems = checkSchema(manifestSchema, manifest, {});
  if (problems.length > 0) throw new ModError("mod_invalid", `${place}: ${problems.join("; ")}`);
  const checked = manifest as ModManifest;
  checkProtocol(checked, place);
  return checked;
}

/** `main.ts#default` and the like, taken apart. */
export function readHooks(manifest: ModManifest): ReadonlyMap<string, HookTarget> {
  const entries = Object.entries(manifest.hooks).map(([name, target]): [string, HookTarget] => {
    const [module = "", exported = "default"] = target.split("#");
    return [name, { module: module.replace(/^\.\//, ""), export: exported }];
  });
  return new Map(entries);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModError("mod_invalid", `${place} is no JSON: ${(cause as Error).message}`, { cause });
  }
}

function checkProtocol({ name, protocol }: ModManifest, place: string): void {
  const [first = 0, last = first] = protocol.split("-").map(Number);
  if (first <= protocolVersion && protocolVersion <= last) return;
  throw new ModError(
    "mod_invalid",
    `${place}: ${name} is written for protocol ${protocol}, this host speaks ${protocolVersion}`,
    { mod: name, hint: "use a version of the mod, or of @codex-js/mod-runner, that fits the other" },
  );
}
