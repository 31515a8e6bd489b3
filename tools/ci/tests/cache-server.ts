import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pickMachineEnv, runNode } from "@codex-js/cli-kit";

export interface CacheServer extends AsyncDisposable {
  /** On loopback, without a slash at its end. */
  url: string;
}

export interface CacheServerOptions {
  /** Absolute; artifacts are kept there. */
  storageDir: string;
  token: string;
  /** Where the server shall keep the signatures beside the artifacts. */
  signatureKey?: string;
}

/** The real server of turbo's remote cache, as a process of its own with local storage. */
export async function startCacheServer({
  storageDir,
  token,
  signatureKey,
}: CacheServerOptions): Promise<CacheServer> {
  const stop = new AbortController();
  const address = Promise.withResolvers<string>();
  const running = runNode(findServer(), [], {
    cwd: storageDir,
    env: {
      ...pickMachineEnv(process.env),
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: "0",
      TURBO_TOKEN: token,
      STORAGE_PROVIDER: "local",
      STORAGE_PATH: storageDir,
      STORAGE_PATH_USE_TMP_FOLDER: "false",
      ...(signatureKey === undefined ? {} : { TURBO_REMOTE_CACHE_SIGNATURE_KEY: signatureKey }),
    },
    signal: stop.signal,
    onLine: (line) => {
      const found = /Server listening at (http:[^\s"]+)/.exec(line)?.[1];
      if (found !== undefined) address.resolve(found);
    },
  });
  const ended = running.then(
    () => new Error("the cache server ended by itself"),
    (error: unknown) => error,
  );
  const url = await Promise.race([address.promise, ended.then((error) => Promise.reject(error))]);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

function findServer(): string {
  const manifest = createRequire(import.meta.url).resolve("turborepo-remote-cache/package.json");
  return join(dirname(manifest), "dist", "cli.js");
}
