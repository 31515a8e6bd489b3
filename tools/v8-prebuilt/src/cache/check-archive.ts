import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { formatBytes } from "@codex-js/cli-kit";
import { sizeLimits } from "../limits.ts";
import { v8Error } from "../v8-error.ts";

/** How every static library begins, `.a` and `.lib` alike. */
const libraryMagic = "!<arch>\n";

/**
 * Unpacks an archive to nowhere: it has to be a whole gzip of a library, and may not grow beyond the limit.
 * The crate's build script takes `RUSTY_V8_ARCHIVE` compressed and unpacks it without any limit or checksum
 * (https://docs.rs/crate/v8/149.2.0/source/build.rs, `copy_archive`), so that it is done here first, once.
 * @param name for messages
 * @throws ToolError CODEX_JS_V8_DAMAGED_ARCHIVE
 */
export async function checkArchive(
  path: string,
  name: string,
  limitBytes: number = sizeLimits.unpackedBytes,
): Promise<void> {
  let unpackedBytes = 0;
  let head = Buffer.alloc(0);
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      unpackedBytes += chunk.length;
      if (head.length < libraryMagic.length) {
        head = Buffer.concat([head, chunk.subarray(0, libraryMagic.length - head.length)]);
      }
      done(unpackedBytes > limitBytes ? tooLarge(name, limitBytes) : null);
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), sink);
  } catch (error) {
    // zlib's codes: Z_DATA_ERROR, Z_BUF_ERROR for an end too early.
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw damaged(`${name} is no whole gzip: ${(error as Error).message}`, error);
  }
  if (head.toString("latin1") !== libraryMagic) throw damaged(`${name} does not hold a static library`);
}

function tooLarge(name: string, limitBytes: number) {
  return damaged(`${name} unpacks to more than ${formatBytes(limitBytes)}`);
}

function damaged(message: string, cause?: unknown) {
  const hint = "its bytes are the ones that the lock pins: pin others with pnpm v8:lock VERSION";
  return v8Error("CODEX_JS_V8_DAMAGED_ARCHIVE", message, { hint, cause });
}
