// Preloaded: `spawn` returns only after the new process has written the file that it got as its last argument,
// so that what the process did before has come first.
import childProcess from "node:child_process";
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { spawn } = childProcess;
childProcess.spawn = (file, args, options) => {
  const child = spawn(file, args, options);
  while (!existsSync(args.at(-1)));
  return child;
};
syncBuiltinESMExports();
