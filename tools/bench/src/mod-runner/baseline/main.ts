// The Node baseline of the mod runner, one process for one mod. `build-baseline.ts` bundles this folder.
import { stripTypeScriptTypes } from "node:module";
import { protocolVersion } from "../protocol.ts";
import { readLines } from "./lines.ts";
import { writeMessage } from "./output.ts";
import { createSession } from "./session.ts";

// The first call loads the stripper, which takes longer than all the rest of the start.
stripTypeScriptTypes("");
const session = createSession();
writeMessage({
  type: "ready",
  ready: true,
  protocolVersion,
  runnerVersion: process.version,
  v8Version: process.versions.v8,
  pid: process.pid,
  sandbox: { mode: "off", enforced: {} },
});
readLines(process.stdin, session.take);
