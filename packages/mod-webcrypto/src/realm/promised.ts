import { PromiseConstructor } from "./primordials.ts";

/**
 * A promise of this realm for what `work` returns or throws. The work is done before this returns: there
 * is no thread to do it in, and nothing that a mod does afterwards can change its inputs.
 */
export function promised<T>(work: () => T): Promise<T> {
  return new PromiseConstructor((resolve, reject) => {
    try {
      resolve(work());
    } catch (error) {
      reject(error);
    }
  });
}
