import { statfs } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What verdaccio writes besides the tarball, with room to spare. */
const spareBytes = 1_000_000;

export interface Uploads {
  /** How many are being handled right now. */
  readonly running: number;
  /**
   * Counts a PUT, and answers 507 to one that the disk has no room for; true when it did so. verdaccio
   * itself would store half a tarball and answer 409 to every further attempt.
   */
  refuse(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export function createUploads(storageDir: string): Uploads {
  let running = 0;
  return {
    get running() {
      return running;
    },
    async refuse(request, response) {
      if (request.method !== "PUT") return false;
      running++;
      response.once("close", () => running--);
      const wantedBytes = Number(request.headers["content-length"] ?? 0) + spareBytes;
      const { bavail, bsize } = await statfs(storageDir);
      if (bavail * bsize >= wantedBytes) return false;
      request.resume();
      const error = `no space for the upload in ${storageDir}: ${wantedBytes} bytes wanted, ${bavail * bsize} free`;
      response.writeHead(507, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ error }));
      return true;
    },
  };
}
