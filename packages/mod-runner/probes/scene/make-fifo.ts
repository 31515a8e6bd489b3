import { readOutput } from "../../src/runner/start-process.ts";

/** Node has no call for it. */
export async function makeFifo(path: string): Promise<void> {
  await readOutput("/usr/bin/mkfifo", [path]);
}
