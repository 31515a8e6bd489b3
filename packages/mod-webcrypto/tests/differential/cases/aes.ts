import { type Case, call, code, combinations, someBytes } from "../case.ts";

const MODES = ["AES-CTR", "AES-CBC", "AES-GCM", "AES-KW"] as const;
const KEY_BYTES = [16, 24, 32] as const;
const CIPHER_USAGES = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];

function usagesOf(mode: string): string[] {
  return mode === "AES-KW" ? ["wrapKey", "unwrapKey"] : CIPHER_USAGES;
}

function importAes(mode: string, bytes: number): string {
  return `const key = await ${call("importKey", "raw", someBytes(bytes), mode, true, usagesOf(mode))};`;
}

export function aesKeyCases(): Case[] {
  const imports = combinations(MODES, [0, 8, 15, 16, 17, 24, 32, 33, 64]).map(([mode, bytes]) => ({
    id: `${mode} import of ${bytes} bytes`,
    program: `${importAes(mode, bytes)}
      return [key, await subtle.exportKey("raw", key), await subtle.exportKey("jwk", key)];`,
  }));
  const formats = combinations(MODES, ["spki", "pkcs8", "raw-secret", "nonsense"]).flatMap(
    ([mode, format]) => [
      {
        id: `${mode} import as ${format}`,
        program: `return ${call("importKey", format, someBytes(16), mode, true, usagesOf(mode))}`,
      },
      {
        id: `${mode} export as ${format}`,
        program: `${importAes(mode, 16)} return ${call("exportKey", format, code("key"))}`,
      },
    ],
  );
  const lengths = [0, 64, 127, 128, 192, 256, 512, 65_536, -1, "256", "x", null];
  const generated = combinations(MODES, lengths).map(([mode, length]) => ({
    id: `${mode} generate with length ${JSON.stringify(length)}`,
    program: `return ${call("generateKey", { name: mode, length }, false, usagesOf(mode))}`,
  }));
  return [...imports, ...formats, ...generated];
}

function encryptAndDecrypt(algorithm: object, length: number): string {
  return `
    const cipher = await ${call("encrypt", algorithm, code("key"), someBytes(length))};
    return [cipher, await ${call("decrypt", algorithm, code("key"), code("cipher"))}];`;
}

export function aesCtrCases(): Case[] {
  const lengths = combinations(KEY_BYTES, [0, 1, 15, 16, 17, 33, 100]).map(([bytes, length]) => ({
    id: `AES-CTR ${bytes * 8} of ${length} bytes`,
    program:
      importAes("AES-CTR", bytes) +
      encryptAndDecrypt({ name: "AES-CTR", counter: someBytes(16), length: 64 }, length),
  }));
  const full = code('hex("ffffffffffffffffffffffffffffffff")');
  const counters = combinations(
    [0, 1, 2, 7, 8, 9, 31, 32, 63, 64, 65, 127, 128, 129, 255, 256],
    [0, 16, 17, 48],
  ).map(([bits, length]) => ({
    id: `AES-CTR wrapping ${bits} bits over ${length} bytes`,
    program:
      importAes("AES-CTR", 16) + encryptAndDecrypt({ name: "AES-CTR", counter: full, length: bits }, length),
  }));
  const sizes = [0, 1, 15, 17, 32].map((size) => ({
    id: `AES-CTR with a counter of ${size} bytes`,
    program:
      importAes("AES-CTR", 16) +
      encryptAndDecrypt({ name: "AES-CTR", counter: someBytes(size), length: 8 }, 16),
  }));
  return [...lengths, ...counters, ...sizes];
}

export function aesCbcCases(): Case[] {
  const lengths = combinations(KEY_BYTES, [0, 1, 15, 16, 17, 31, 32, 100]).map(([bytes, length]) => ({
    id: `AES-CBC ${bytes * 8} of ${length} bytes`,
    program: importAes("AES-CBC", bytes) + encryptAndDecrypt({ name: "AES-CBC", iv: someBytes(16) }, length),
  }));
  const ivs = [0, 8, 12, 15, 17].map((size) => ({
    id: `AES-CBC with an IV of ${size} bytes`,
    program: importAes("AES-CBC", 16) + encryptAndDecrypt({ name: "AES-CBC", iv: someBytes(size) }, 16),
  }));
  const wrong = [0, 1, 15, 16, 17, 32].map((length) => ({
    id: `AES-CBC decrypt of ${length} bytes that are none of its`,
    program: `${importAes("AES-CBC", 16)}
      return ${call("decrypt", { name: "AES-CBC", iv: someBytes(16) }, code("key"), someBytes(length, 9))}`,
  }));
  return [...lengths, ...ivs, ...wrong];
}

export function aesGcmCases(): Case[] {
  const iv = someBytes(12);
  const lengths = combinations(KEY_BYTES, [0, 1, 15, 16, 17, 100], [undefined, 0, 20]).map(
    ([bytes, length, extra]) => {
      const algorithm = {
        name: "AES-GCM",
        iv,
        additionalData: extra === undefined ? undefined : someBytes(extra),
      };
      return {
        id: `AES-GCM ${bytes * 8} of ${length} bytes, additional ${extra}`,
        program: importAes("AES-GCM", bytes) + encryptAndDecrypt(algorithm, length),
      };
    },
  );
  const ivs = [0, 1, 7, 8, 11, 13, 16, 32, 128].map((size) => ({
    id: `AES-GCM with an IV of ${size} bytes`,
    program: importAes("AES-GCM", 16) + encryptAndDecrypt({ name: "AES-GCM", iv: someBytes(size) }, 20),
  }));
  const tags = [0, 8, 31, 32, 64, 95, 96, 104, 112, 120, 127, 128, 129, 256, -1].map((tagLength) => ({
    id: `AES-GCM with a tag of ${tagLength} bits`,
    program: importAes("AES-GCM", 16) + encryptAndDecrypt({ name: "AES-GCM", iv, tagLength }, 20),
  }));
  const changes = ["0", "5", "cipher.byteLength - 1"].map((index) => ({
    id: `AES-GCM with byte ${index} changed`,
    program: `${importAes("AES-GCM", 16)}
      const cipher = await ${call("encrypt", { name: "AES-GCM", iv }, code("key"), someBytes(20))};
      new Uint8Array(cipher)[${index}] ^= 1;
      return ${call("decrypt", { name: "AES-GCM", iv }, code("key"), code("cipher"))}`,
  }));
  const short = [0, 1, 15, 16].map((length) => ({
    id: `AES-GCM decrypt of ${length} bytes`,
    program: `${importAes("AES-GCM", 16)}
      return ${call("decrypt", { name: "AES-GCM", iv }, code("key"), someBytes(length))}`,
  }));
  return [...lengths, ...ivs, ...tags, ...changes, ...short];
}

export function aesKwCases(): Case[] {
  return combinations(KEY_BYTES, [1, 8, 15, 16, 20, 24, 32, 40]).map(([bytes, length]) => ({
    id: `AES-KW ${bytes * 8} wraps ${length} bytes`,
    program: `${importAes("AES-KW", bytes)}
      const algorithm = ${JSON.stringify({ name: "HMAC", hash: "SHA-256" })};
      const inner = await ${call("importKey", "raw", someBytes(length, 5), code("algorithm"), true, ["sign"])};
      const wrapped = await subtle.wrapKey("raw", inner, key, "AES-KW");
      const back = await subtle.unwrapKey("raw", wrapped, key, "AES-KW", algorithm, true, ["sign"]);
      return [wrapped, await subtle.exportKey("raw", back)];`,
  }));
}
