import { isSame, message, nameOfFailure, subtle, toHex } from "./bytes.ts";

export async function digests(): Promise<boolean> {
  const lengths: number[] = [];
  for (const hash of ["SHA-1", "SHA-256", { name: "SHA-384" }, { name: "SHA-512" }]) {
    lengths.push((await subtle.digest(hash, message)).byteLength);
  }
  const empty = toHex(await subtle.digest("SHA-1", new ArrayBuffer(0)));
  return lengths.join() === "20,32,48,64" && empty === "da39a3ee5e6b4b0d3255bfef95601890afd80709";
}

export async function randomness(): Promise<boolean> {
  const id: string = crypto.randomUUID();
  const words = crypto.getRandomValues(new Uint32Array(4));
  const tooMany = async () => crypto.getRandomValues(new Uint8Array(65_537));
  const isOfItsClass = crypto instanceof Crypto && subtle instanceof SubtleCrypto;
  return (
    id.length === 36 &&
    words.length === 4 &&
    isOfItsClass &&
    (await nameOfFailure(tooMany())) === "QuotaExceededError"
  );
}

export async function texts(): Promise<boolean> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(8);
  const { read, written } = encoder.encodeInto("äöü", bytes);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text =
    decoder.decode(bytes.subarray(0, 3), { stream: true }) + decoder.decode(bytes.subarray(3, written));
  const clone = structuredClone(new Map([["key", message]]));
  const moved = new ArrayBuffer(8);
  const taken = structuredClone(moved, { transfer: [moved] });
  const error = new DOMException("text", "DataCloneError");
  return (
    read === 3 &&
    text === "äöü" &&
    `${encoder.encoding} ${decoder.encoding} ${decoder.fatal} ${decoder.ignoreBOM}` ===
      "utf-8 utf-8 true true" &&
    atob(btoa("text")) === "text" &&
    isSame(clone.get("key")!, message) &&
    moved.byteLength === 0 &&
    taken.byteLength === 8 &&
    error.code === DOMException.DATA_CLONE_ERR
  );
}
