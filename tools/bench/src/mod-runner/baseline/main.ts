// The Node baseline of the mod runner, one process for one mod. `build-baseline.ts` bundles this folder.
import { protocolVersion } from "../protocol.ts";
import { readLines } from "./lines.ts";
import { writeMessage } from "./output.ts";
import { createSession } from "./session.ts";
import { loadStripper, warmStripper } from "./warm-up.ts";

loadStripper();
writeMessage({
  type: "ready",
  ready: true,
  protocolVersion,
  runnerVersion: process.version,
  v8Version: process.versions.v8,
  pid: process.pid,
  sandbox: { mode: "off", enforced: {} },
});
const session = createSession();
warmStripper();
readLines(process.stdin, session.take);
