import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Side } from "../run/side.ts";

/** Another package's program, started by its path as any runner is; nothing of it is imported. */
const script = join(import.meta.dirname, "../../../../tools/bench/src/mod-runner/baseline/main.ts");

/** The same heap as our runner's, and what the baseline cannot do without. */
const nodeArgs = ["--max-old-space-size=64", "--experimental-vm-modules", "--no-warnings"];

/** The Node baseline as one program to execute, on the Node that runs this. */
export function writeNodeBaseline(dir: string): Side {
  const program = join(dir, "node-runner");
  const words = [process.execPath, ...nodeArgs, script].map(quote);
  writeFileSync(program, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, { mode: 0o755 });
  return { program, sandbox: "off" };
}

/** For a shell's script: nothing in it is special. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
