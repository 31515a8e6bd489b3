import { limits } from "../../generated/limits.ts";
import { ModError } from "../errors.ts";
import { formatJson } from "../json-text.ts";
import type { HookTarget, ModPackage } from "../package/mod-package.ts";

/** @throws ModError mod_invalid */
export function findHook(pkg: ModPackage, hook: string): HookTarget {
  const target = pkg.hooks.get(hook);
  if (target !== undefined) return target;
  const hooks = [...pkg.hooks.keys()].join(", ");
  throw new ModError("mod_invalid", `${pkg.name} has no hook ${hook}; there are ${hooks}`, {
    mod: pkg.name,
    hook,
  });
}

/** @throws ModError invalid_argument */
export function formatInput(input: unknown): string {
  try {
    return formatJson(input, limits.inputBytes, limits.inputDepth);
  } catch (cause) {
    throw new ModError("invalid_argument", `the input cannot be sent: ${(cause as Error).message}`, {
      cause,
    });
  }
}
