import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * What npm needs to install from and publish to a registry of ours. Its CLI refuses to publish without
 * a token; the registry takes any.
 */
export function createNpmrc(url: string): string {
  const { host, pathname } = new URL(url);
  return `registry=${url}
//${host}${pathname}:_authToken=none-needed
audit=false
fund=false
update-notifier=false
fetch-retries=2
fetch-retry-mintimeout=1000
fetch-retry-maxtimeout=5000
`;
}

/** Writes it as `<dir>/.npmrc` and returns that path, for `npm_config_userconfig`. */
export async function writeNpmrc(url: string, dir: string): Promise<string> {
  const path = join(dir, ".npmrc");
  await mkdir(dir, { recursive: true });
  await writeFile(path, createNpmrc(url));
  return path;
}
