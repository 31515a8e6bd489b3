import type { ModHostOptions } from "../index.ts";
import type { CheckCommand } from "./command-line.ts";

/** A host for one call: nothing is kept ready for a second. */
export function createAuthorOptions({ budgetMs, sandbox }: CheckCommand): ModHostOptions {
  return {
    pool: { spare: 0, warm: 0 },
    limits: { codeCacheBytes: 0, ...(budgetMs === undefined ? {} : { budgetMs }) },
    ...(sandbox === undefined ? {} : { sandbox }),
  };
}
