import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CRATE = fileURLToPath(new URL("../../../mod-runner/native/crates/crypto", import.meta.url));

/**
 * Builds the crate's example and says where it is. Cargo is the one that knows whether anything changed.
 */
export async function buildOperationServer(): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "cargo",
    ["build", "--quiet", "--locked", "--example", "serve_operations", "--message-format", "json"],
    { cwd: CRATE, env: cargoEnv(process.env), maxBuffer: 64 << 20 },
  );
  for (const line of stdout.split("\n")) {
    const message = line.startsWith("{") ? JSON.parse(line) : undefined;
    if (message?.target?.name === "serve_operations" && typeof message.executable === "string") {
      return message.executable;
    }
  }
  throw new Error(`cargo named no executable in ${join(CRATE, "examples")}`);
}

/** Why the tests that need the crate cannot run here; undefined when they can. */
export async function missingCargo(): Promise<string | undefined> {
  try {
    await promisify(execFile)("cargo", ["--version"], { env: cargoEnv(process.env) });
    return undefined;
  } catch {
    return "no cargo on this machine";
  }
}

/** Without the variables that npm and pnpm leave for their children. */
function cargoEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
}
