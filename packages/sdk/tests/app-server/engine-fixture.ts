import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCodexHome, type MockModel } from "@codex-js/testkit/mock-model";
import { AppServerClient, type StdioClientOptions } from "../../src/app-server/client.ts";
import type { EngineCommand } from "../../src/app-server/engine-child.ts";
import { startPromptedModel } from "./prompted-model.ts";

export interface Fixture extends AsyncDisposable {
  dir: string;
  workDir: string;
  recordDir: string;
  model: MockModel;
  command(args?: readonly string[]): EngineCommand;
  /** A client of a real engine of its own. */
  createClient(options?: Partial<StdioClientOptions>): AppServerClient;
}

/** A CODEX_HOME, a mock model and clients of the real engine; everything is closed and removed again. */
export async function createFixture(extraToml = ""): Promise<Fixture> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-app-server-")));
  const model = await startPromptedModel();
  const [homeDir, workDir, recordDir] = ["home", "work", "records"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(workDir);
  await createCodexHome(model, { dir: homeDir, extraToml });
  const clients: AppServerClient[] = [];
  const command = (args: readonly string[] = ["app-server"]): EngineCommand => ({
    file: findEngine(),
    args,
    cwd: workDir,
    env: { PATH: process.env.PATH, HOME: homeDir, CODEX_HOME: homeDir },
  });
  return {
    dir,
    workDir,
    recordDir,
    model,
    command,
    createClient: (options = {}) => {
      const client = AppServerClient.overStdio({
        command: () => command(),
        introduction: { clientInfo: { name: "codex_js_test", title: null, version: "1" } },
        recordDir,
        ...options,
      });
      clients.push(client);
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await model[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** The native executable of the pinned engine. */
function findEngine(): string {
  const fromHere = createRequire(import.meta.url);
  const fromEngine = createRequire(fromHere.resolve("@openai/codex/package.json"));
  const platform = fromEngine.resolve(`@openai/codex-${process.platform}-${process.arch}/package.json`);
  const vendor = join(dirname(platform), "vendor");
  const triples: Record<string, string> = {
    "linux-x64": "x86_64-unknown-linux-musl",
    "linux-arm64": "aarch64-unknown-linux-musl",
    "darwin-x64": "x86_64-apple-darwin",
    "darwin-arm64": "aarch64-apple-darwin",
    "win32-x64": "x86_64-pc-windows-msvc",
    "win32-arm64": "aarch64-pc-windows-msvc",
  };
  const name = process.platform === "win32" ? "codex.exe" : "codex";
  return join(vendor, triples[`${process.platform}-${process.arch}`]!, "bin", name);
}

export async function startThread(
  client: AppServerClient,
  cwd: string,
  params: object = {},
): Promise<string> {
  const { thread } = await client.request("thread/start", { cwd, approvalPolicy: "never", ...params });
  return thread.id;
}

export const text = (value: string) => [{ type: "text" as const, text: value, text_elements: [] }];

/** Waits until something is so; the test's own timeout is the bound. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** On Linux a zombie that no init has reaped yet counts as ended. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") {
    const status = `/proc/${pid}/status`;
    try {
      return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, "utf8"));
    } catch {
      return false;
    }
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
