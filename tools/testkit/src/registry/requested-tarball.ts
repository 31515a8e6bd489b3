import type { IncomingMessage } from "node:http";
import { join } from "node:path";

/** A tarball that a client asks for, and where verdaccio keeps it; absolute paths. */
export interface RequestedTarball {
  packageDir: string;
  filename: string;
  file: string;
}

/** `GET /@scope%2fname/-/name-1.0.0.tgz`; undefined for any other request. */
export function readRequestedTarball(
  storageDir: string,
  { method, url = "/" }: IncomingMessage,
): RequestedTarball | undefined {
  if (method !== "GET") return undefined;
  const match = /^\/((?:@[^/]+\/)?[^/@]+)\/-\/([^/?]+\.tgz)(?:\?|$)/.exec(url.replace(/%2f/i, "/"));
  const [, name, filename] = match ?? [];
  if (name === undefined || filename === undefined || /\.\.|%/.test(name + filename)) return undefined;
  const packageDir = join(storageDir, name);
  return { packageDir, filename, file: join(packageDir, filename) };
}
