import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { until } from "../app-server/engine-fixture.ts";
import type { ClientFixture } from "./client-fixture.ts";

/** An app-server that somebody else has started, as far as the client is concerned. */
export interface RunningServer extends AsyncDisposable {
  url: string;
  /** What it wants to see; a socket wants nothing. */
  token?: string;
  kill(): Promise<void>;
}

/** Starts an app-server of the fixture's home on a socket, or on TCP where `token` says who may come. */
export async function startServer(fixture: ClientFixture, token?: string): Promise<RunningServer> {
  const { codexPathOverride, env } = fixture.options;
  const socket = join(fixture.homeDir, "s.sock");
  const sha256 = createHash("sha256")
    .update(token ?? "")
    .digest("hex");
  const args =
    token === undefined
      ? ["--listen", `unix://${socket}`]
      : ["--listen", "ws://127.0.0.1:0", "--ws-auth", "capability-token", "--ws-token-sha256", sha256];
  const server: ChildProcess = spawn(codexPathOverride, ["app-server", ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const kill = () => {
    server.kill("SIGKILL");
    return ended;
  };
  let stderr = "";
  server.stderr!.on("data", (chunk) => {
    stderr += chunk;
  });
  const readUrl = () =>
    token === undefined
      ? existsSync(socket) && `unix://${socket}`
      : /ws:\/\/127\.0\.0\.1:\d+/.exec(stderr)?.[0];
  await until(() => Boolean(readUrl()) || server.exitCode !== null);
  const url = readUrl();
  if (!url) throw new Error(`the app-server ended with code ${server.exitCode}: ${stderr}`);
  return { url, kill, [Symbol.asyncDispose]: kill, ...(token === undefined ? {} : { token }) };
}
