import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createNpmrc, writeNpmrc } from "./npmrc.ts";
import { prepareStorage } from "./prepare-storage.ts";
import type { Uplink } from "./uplink.ts";
import { isUplinkFailure } from "./uplink-failures.ts";
import { describeUplink } from "./uplink-route.ts";
import { resolveUserRegistry } from "./user-registry.ts";
import { createVerdaccioConfig, logFileName } from "./verdaccio-config.ts";
import { closeWorker, startWorker, waitUntilListening } from "./worker-thread.ts";

export interface RegistryOptions {
  /**
   * Created where missing; everything that the registry keeps lies here, and a later start finds it.
   * One registry at a time uses a folder.
   */
  storageDir: string;
  /** Where unknown packages come from; `null`: nowhere. Default: the registry that npm is configured with. */
  uplink?: Uplink | null;
  /** Short for `uplink: { url, token }`. */
  uplinkUrl?: string;
  uplinkToken?: string;
  /** Patterns of names that are never looked up at the uplink, e.g. `@codex-js/*`; default none. */
  localScopes?: readonly string[];
  /** Default 0: a free one. */
  port?: number;
  /** Where npm looks for a project's npmrc; default this process's folder. */
  cwd?: string;
  /** Environment for npm's configuration and for the proxy variables; default this process's. */
  env?: NodeJS.ProcessEnv;
  /** Aborting it closes the registry. */
  signal?: AbortSignal;
}

export interface Registry extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/`. */
  readonly url: string;
  /** The uplink in use; null for none. */
  readonly uplinkUrl: string | null;
  /** The uplink for people: its URL without credentials, those of scopes, the proxy on the way; null for none. */
  readonly uplinkRoute: string | null;
  /** The text of an npmrc for this registry, a token that npm insists on included. */
  npmrc(): string;
  /** Writes it as `<dir>/.npmrc` and returns the path, for `npm_config_userconfig`. */
  writeUserconfig(dir: string): Promise<string>;
  /** The last requests, uplink failures and warnings, oldest first; for error reports. */
  recentLog(): Promise<string[]>;
  /** The last things that the uplink did not deliver, oldest first; empty when all went well. */
  uplinkFailures(): string[];
  close(): Promise<void>;
}

const host = "127.0.0.1";
const keptLogLines = 200;

/**
 * Starts an npm registry inside this process (verdaccio, in a worker thread). Anybody on this machine
 * may publish to it; packages that it does not have come from the uplink and stay in `storageDir`.
 * @throws ToolError CODEX_JS_REGISTRY_PORT_TAKEN, CODEX_JS_REGISTRY_PORT_UNUSABLE,
 * CODEX_JS_REGISTRY_STORAGE_UNWRITABLE, CODEX_JS_REGISTRY_STORAGE_DAMAGED, CODEX_JS_REGISTRY_START_FAILED (all
 * external), and of `resolveUserRegistry`
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  options.signal?.throwIfAborted();
  const env = options.env ?? process.env;
  const storageDir = await prepareStorage(
    options.storageDir,
    // What has no uplink cannot be fetched anew.
    options.uplink === null ? ["**"] : options.localScopes,
  );
  const uplink = await resolveUplink(options, env);
  const config = createVerdaccioConfig({ storageDir, uplink, localScopes: options.localScopes ?? [] });
  const [log, failures] = [createRing(), createRing()];
  const onLog = (line: string) => {
    log.add(line);
    if (isUplinkFailure(line)) failures.add(line);
  };
  const input = { config, host, port: options.port ?? 0 };
  const worker = startWorker(input, env, onLog);
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const port = await waitUntilListening(worker, input);

  const url = `http://${host}:${port}/`;
  let closed: Promise<void> | undefined;
  const close = () => {
    options.signal?.removeEventListener("abort", close);
    closed ??= closeWorker(worker, exited);
    return closed;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  if (options.signal?.aborted) await close();
  options.signal?.throwIfAborted();
  return {
    url,
    uplinkUrl: uplink?.url ?? null,
    uplinkRoute: uplink && describeUplink(uplink, env),
    npmrc: () => createNpmrc(url),
    writeUserconfig: (dir) => writeNpmrc(url, dir),
    recentLog: async () => [...log.lines, ...(await readWarnings(storageDir))].slice(-keptLogLines),
    uplinkFailures: () => [...failures.lines],
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function resolveUplink(options: RegistryOptions, env: NodeJS.ProcessEnv): Promise<Uplink | null> {
  if (options.uplink !== undefined) return options.uplink;
  if (options.uplinkUrl === undefined) {
    return resolveUserRegistry({
      cwd: options.cwd ?? process.cwd(),
      env,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }
  const { uplinkUrl: url, uplinkToken: token } = options;
  return token === undefined ? { url } : { url, token };
}

function createRing(): { lines: string[]; add: (line: string) => void } {
  const lines: string[] = [];
  return {
    lines,
    add: (line) => {
      lines.push(line);
      if (lines.length > keptLogLines) lines.shift();
    },
  };
}

/** verdaccio's own warnings and errors, one JSON object a line. */
async function readWarnings(storageDir: string): Promise<string[]> {
  const text = await readFile(join(storageDir, logFileName), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const message = /"msg":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
    return message === undefined ? [] : [`warning: ${message}`];
  });
}
