export const { subtle } = crypto;
export const message = new TextEncoder().encode("something that stays as it is");

export function toHex(bytes: BufferSource): string {
  const view =
    bytes instanceof ArrayBuffer
      ? new Uint8Array(bytes)
      : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from(view, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const isSame = (left: BufferSource, right: BufferSource): boolean => toHex(left) === toHex(right);

/** The name of what a promise is rejected with, as a DOMException or a TypeError has it. */
export async function nameOfFailure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "";
  } catch (error) {
    return error instanceof DOMException || error instanceof TypeError ? error.name : "something else";
  }
}
