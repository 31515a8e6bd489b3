/**
 * Names for values: the same value has the same name under one key, and nobody without the key can find the
 * value by trying.
 * @param keyHex - the key of the HMAC, in hexadecimal
 */
export async function createPseudonyms(
  keyHex: string,
): Promise<(kind: string, value: string) => Promise<string>> {
  const bytes = Uint8Array.from(keyHex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const encoder = new TextEncoder();
  return async (kind, value) => {
    const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${kind}:${value}`));
    const hex = Array.from(new Uint8Array(signature, 0, 5), (byte) => byte.toString(16).padStart(2, "0"));
    return `‹${kind}:${hex.join("")}›`;
  };
}
