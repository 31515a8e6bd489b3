import { type Case, call, code, combinations, HASHES, someBytes } from "../case.ts";

export function digestCases(): Case[] {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 1000];
  const known = combinations(HASHES, lengths).map(([hash, length]) => ({
    id: `digest ${hash} of ${length} bytes`,
    program: `return ${call("digest", hash, someBytes(length))}`,
  }));
  const names = [
    "sha-256",
    "Sha-1",
    "SHA256",
    "MD5",
    "",
    "SHA-224",
    "HMAC",
    "SHA3-256",
    "SHA-256 ",
    "\u017fHA-1",
  ];
  const named = names.flatMap((name) => [
    { id: `digest named "${name}"`, program: `return ${call("digest", name, someBytes(3))}` },
    { id: `digest named {"${name}"}`, program: `return ${call("digest", { name }, someBytes(3))}` },
  ]);
  const sources = [
    "new ArrayBuffer(4)",
    "new DataView(new ArrayBuffer(8), 2, 3)",
    "new Float64Array([1.5])",
    "new Uint16Array([258, 772]).subarray(1)",
    "new BigInt64Array([1n])",
    "new SharedArrayBuffer(4)",
    "new Uint8Array(new SharedArrayBuffer(4))",
    "new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }))",
    "(() => { const b = new ArrayBuffer(4); const v = new Uint8Array(b, 1); b.transfer(); return v; })()",
    "(() => { const b = new ArrayBuffer(4); b.transfer(); return b; })()",
    '"text"',
    "[1, 2]",
    "null",
    "undefined",
    "{}",
  ];
  const data = sources.map((value) => ({
    id: `digest of ${value}`,
    program: `return ${call("digest", "SHA-256", code(value))}`,
  }));
  return [...known, ...named, ...data];
}

export function hmacCases(): Case[] {
  const imports = combinations(HASHES, [0, 1, 20, 64, 65, 128, 129], [undefined, 0, -8, -7, -1, 1]).map(
    ([hash, bytes, delta]) => {
      const length = delta === undefined ? undefined : delta === 0 ? bytes * 8 : bytes * 8 + delta;
      const algorithm = { name: "HMAC", hash, length };
      return {
        id: `HMAC ${hash} import of ${bytes} bytes, length ${length}`,
        program: `
          const key = await ${call("importKey", "raw", someBytes(bytes), algorithm, true, ["sign", "verify"])};
          const tag = await ${call("sign", "HMAC", code("key"), someBytes(100))};
          const good = await ${call("verify", "HMAC", code("key"), code("tag"), someBytes(100))};
          const bad = await ${call("verify", "HMAC", code("key"), code("tag.slice(1)"), someBytes(100))};
          return [key, tag, good, bad, await subtle.exportKey("raw", key), await subtle.exportKey("jwk", key)];`,
      };
    },
  );
  const zero = HASHES.map((hash) => ({
    id: `HMAC ${hash} import with length 0`,
    program: `return ${call("importKey", "raw", someBytes(8), { name: "HMAC", hash, length: 0 }, true, ["sign"])}`,
  }));
  const generated = combinations(HASHES, [undefined, 0, 1, 7, 8, 9, 512, 1023, 4096]).map(
    ([hash, length]) => ({
      id: `HMAC ${hash} generate with length ${length}`,
      program: `
      const key = await ${call("generateKey", { name: "HMAC", hash, length }, true, ["sign"])};
      const raw = new Uint8Array(await subtle.exportKey("raw", key));
      return [key, raw.length, raw.at(-1) & ${length === undefined || length % 8 === 0 ? 0 : 0xff >> (length % 8)}];`,
    }),
  );
  return [...imports, ...zero, ...generated];
}
