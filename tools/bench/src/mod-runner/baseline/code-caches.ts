import type * as Crypto from "node:crypto";
import type { ModFile, ModPackage } from "./mod-package.ts";
import { readCode } from "./mod-package.ts";

const macBytes = 32;
const lengthBytes = 4;

/** Code caches that the host keeps, each with its erased text and an HMAC under the host's key. */
export interface CodeCaches {
  /** Drops what does not authenticate. */
  open(modPackage: ModPackage, caches: Record<string, string>): void;
  /** What the host has not yet got. */
  seal(modPackage: ModPackage): Record<string, string>;
}

export function createCodeCaches(key: string): CodeCaches {
  // Loaded only for hosts that keep caches.
  const { createHash, createHmac, timingSafeEqual } = process.getBuiltinModule(
    "node:crypto",
  ) as typeof Crypto;
  const authenticate = ({ mod }: ModPackage, { path, source }: ModFile, payload: Buffer) => {
    const digest = createHash("sha256").update(source).digest("hex");
    const place = JSON.stringify([process.version, process.arch, mod.digest, path, digest]);
    return createHmac("sha256", Buffer.from(key, "hex")).update(place).update(payload).digest();
  };
  return {
    open(modPackage, caches) {
      for (const [path, text] of Object.entries(caches)) {
        const file = modPackage.files.get(path);
        const bytes = Buffer.from(text, "base64");
        if (file === undefined || file.isKnown || bytes.length < macBytes + lengthBytes) continue;
        const payload = bytes.subarray(macBytes);
        if (!timingSafeEqual(authenticate(modPackage, file, payload), bytes.subarray(0, macBytes))) continue;
        const codeEnd = lengthBytes + payload.readUInt32LE(0);
        file.code = payload.toString("utf8", lengthBytes, codeEnd);
        file.cachedData = payload.subarray(codeEnd);
        file.isKnown = true;
      }
    },
    seal(modPackage) {
      const sealed: Record<string, string> = {};
      for (const file of modPackage.files.values()) {
        if (file.isKnown || file.cachedData === undefined) continue;
        const code = Buffer.from(readCode(file));
        const length = Buffer.alloc(lengthBytes);
        length.writeUInt32LE(code.length);
        const payload = Buffer.concat([length, code, file.cachedData]);
        sealed[file.path] = Buffer.concat([authenticate(modPackage, file, payload), payload]).toString(
          "base64",
        );
        file.isKnown = true;
      }
      return sealed;
    },
  };
}
