import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { asCacheError } from "../cache/store.ts";

/** A file that is being written and hashed, from one answer or from several. */
export class PartialFile implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;
  #hash: Hash = createHash("sha256");
  #sizeBytes = 0;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** @throws ToolError CODEX_JS_V8_CACHE, as all that write */
  static async create(path: string): Promise<PartialFile> {
    return new PartialFile(path, await asCacheError(path, () => open(path, "wx")));
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  async append(chunk: Uint8Array): Promise<void> {
    await asCacheError(this.path, () => this.#write(chunk));
    this.#hash.update(chunk);
    this.#sizeBytes += chunk.length;
  }

  /** Forgets everything that was written. */
  async restart(): Promise<void> {
    await asCacheError(this.path, () => this.#handle.truncate(0));
    this.#hash = createHash("sha256");
    this.#sizeBytes = 0;
  }

  /** Brings everything to the disk. @returns its SHA-256 */
  async finish(): Promise<string> {
    await asCacheError(this.path, () => this.#handle.sync());
    return this.#hash.copy().digest("hex");
  }

  /** At a position of our own: after a restart the handle's would be behind the end. */
  async #write(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const position = this.#sizeBytes + done;
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, position);
      done += bytesWritten;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}
