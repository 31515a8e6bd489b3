import type { ModError } from "../index.ts";
import { adviseGlobal, adviseImport, readSpecifier } from "./advice.ts";

/** What to do about a failure for want of something that no mod has; undefined for every other one. */
export function adviseFailure(error: ModError, folder: string): string | undefined {
  const { code, location, message } = error;
  if (code === "mod_import_refused" && location !== undefined) {
    const specifier = readSpecifier(folder, location);
    return specifier === undefined ? undefined : adviseImport(specifier, folder, location.module);
  }
  if (code !== "mod_error") return undefined;
  // V8's words for a name that is not there, also for a property of the global object.
  const [, name] =
    message.match(/threw (?:Reference|Type)Error: (?:globalThis\.)?([\w$]+) is not (?:defined|a )/) ?? [];
  return name === undefined ? undefined : adviseGlobal(name);
}
