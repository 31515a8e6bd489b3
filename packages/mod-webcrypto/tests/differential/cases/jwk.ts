import { type Case, call, code, combinations } from "../case.ts";

/** What is done to a good JWK before it is imported; `jwk` is a copy of it. */
const CHANGES = [
  "",
  "delete jwk.kty",
  'jwk.kty = "oct"',
  'jwk.kty = "RSA"',
  'jwk.kty = "EC"',
  'jwk.kty = "OKP"',
  'jwk.use = "sig"',
  'jwk.use = "enc"',
  'jwk.use = "other"',
  'jwk.use = "other"; usages.length = 0',
  "jwk.use = 1",
  "jwk.key_ops = []",
  "jwk.key_ops = usages",
  'jwk.key_ops = [...usages, "unknown"]',
  'jwk.key_ops = [...usages, "unknown", "unknown"]',
  "jwk.key_ops = [...usages, ...usages]",
  'jwk.key_ops = ["unknown"]',
  'jwk.key_ops = "sign"',
  "jwk.key_ops = null",
  "jwk.key_ops = {}",
  "jwk.key_ops = [1]",
  'jwk.use = "sig"; jwk.key_ops = usages',
  "jwk.ext = false",
  "jwk.ext = false; extractable = false",
  "jwk.ext = true; extractable = false",
  "jwk.ext = 0",
  'jwk.ext = "false"',
  'jwk.alg = "wrong"',
  "jwk.alg = null",
  'jwk.alg = ""',
  "jwk.alg = 256",
  "jwk.more = 1",
  "jwk.oth = 5",
  "jwk.oth = null",
  "jwk.oth = [1]",
  "jwk.oth = [{ d: { toString() { throw new RangeError() } } }]",
  "jwk = undefined",
  "jwk = null",
  "jwk = 5",
  'jwk = "text"',
  "jwk = new Uint8Array(4)",
  "jwk = new Proxy(jwk, {})",
  "jwk = Object.create(jwk)",
];

const MEMBER_CHANGES = [
  (name: string) => `delete jwk.${name}`,
  (name: string) => `jwk.${name} = ""`,
  (name: string) => `jwk.${name} = "AQAB"`,
  (name: string) => `jwk.${name} = jwk.${name}.slice(1)`,
  (name: string) => `jwk.${name} = "AAAA" + jwk.${name}`,
  (name: string) => `jwk.${name} += "="`,
  (name: string) => `jwk.${name} = jwk.${name}.replace(/^../, "+/")`,
  (name: string) => `jwk.${name} = " " + jwk.${name}`,
  (name: string) => `jwk.${name} = "*" + jwk.${name}.slice(1)`,
  (name: string) => `jwk.${name} = 7`,
  (name: string) => `jwk.${name} = null`,
];

interface Kind {
  readonly name: string;
  readonly jwk: string;
  readonly algorithm: object | string;
  readonly usages: string[];
  readonly members: string[];
  readonly algs: string[];
}

const PUBLIC = "(({ d, p, q, dp, dq, qi, ...rest }) => rest)";
const ALGS = [
  "HS1",
  "HS256",
  "HS384",
  "HS512",
  "A128GCM",
  "A256GCM",
  "A128CBC",
  "RS256",
  "PS256",
  "ES256",
  "ES384",
];
const MORE_ALGS = ["RSA-OAEP", "RSA-OAEP-256", "EdDSA", "Ed25519", "ECDH-ES", "X25519"];
const SECRET = '{ kty: "oct", k: "AAECAwQFBgcICQoLDA0ODw" }';

const KINDS: Kind[] = [
  {
    name: "HMAC",
    jwk: SECRET,
    algorithm: { name: "HMAC", hash: "SHA-256" },
    usages: ["sign"],
    members: ["k"],
  },
  { name: "AES-GCM", jwk: SECRET, algorithm: "AES-GCM", usages: ["encrypt"], members: ["k"] },
  { name: "AES-KW", jwk: SECRET, algorithm: "AES-KW", usages: ["wrapKey"], members: ["k"] },
  {
    name: "RSA-PSS private",
    jwk: "keys.rsa1024",
    algorithm: { name: "RSA-PSS", hash: "SHA-256" },
    usages: ["sign"],
    members: ["n", "e", "d", "p", "q", "dp", "dq", "qi"],
  },
  {
    name: "RSASSA-PKCS1-v1_5 public",
    jwk: `${PUBLIC}(keys.rsa1024)`,
    algorithm: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    usages: ["verify"],
    members: ["n", "e"],
  },
  {
    name: "RSA-OAEP public",
    jwk: `${PUBLIC}(keys.rsa1024)`,
    algorithm: { name: "RSA-OAEP", hash: "SHA-256" },
    usages: ["encrypt"],
    members: [],
  },
  {
    name: "ECDSA private",
    jwk: "keys.p256a",
    algorithm: { name: "ECDSA", namedCurve: "P-256" },
    usages: ["sign"],
    members: ["crv", "x", "y", "d"],
  },
  {
    name: "ECDSA public",
    jwk: `${PUBLIC}(keys.p521a)`,
    algorithm: { name: "ECDSA", namedCurve: "P-521" },
    usages: ["verify"],
    members: ["crv", "x", "y"],
  },
  {
    name: "ECDH private",
    jwk: "keys.p384a",
    algorithm: { name: "ECDH", namedCurve: "P-384" },
    usages: ["deriveBits"],
    members: ["d"],
  },
  {
    name: "Ed25519 private",
    jwk: "keys.ed25519a",
    algorithm: "Ed25519",
    usages: ["sign"],
    members: ["crv", "x", "d"],
  },
  {
    name: "Ed25519 public",
    jwk: `${PUBLIC}(keys.ed25519a)`,
    algorithm: "Ed25519",
    usages: ["verify"],
    members: ["crv", "x"],
  },
  {
    name: "X25519 private",
    jwk: "keys.x25519a",
    algorithm: "X25519",
    usages: ["deriveBits"],
    members: ["x", "d"],
  },
].map((kind) => ({ ...kind, algs: [...ALGS, ...MORE_ALGS] }));

function importCase(kind: Kind, change: string): Case {
  return {
    id: `JWK ${kind.name}: ${change === "" ? "as it is" : change}`,
    program: `
      let jwk = { ...${kind.jwk} };
      let extractable = true;
      const usages = ${JSON.stringify(kind.usages)};
      ${change};
      const key = await ${call("importKey", "jwk", code("jwk"), kind.algorithm, code("extractable"), code("usages"))};
      return [key, key.extractable ? await subtle.exportKey("jwk", key) : null];`,
  };
}

export function jwkCases(): Case[] {
  const general = combinations(KINDS, CHANGES).map(([kind, change]) => importCase(kind, change));
  const members = KINDS.flatMap((kind) =>
    combinations(kind.members, MEMBER_CHANGES).map(([member, change]) => importCase(kind, change(member))),
  );
  const algs = KINDS.flatMap((kind) =>
    kind.algs.map((alg) => importCase(kind, `jwk.alg = ${JSON.stringify(alg)}`)),
  );
  const mixed = [
    importCase(KINDS[6]!, "jwk.d = keys.p256b.d"),
    importCase(KINDS[9]!, "jwk.d = keys.ed25519b.d"),
    importCase(KINDS[11]!, "jwk.d = keys.x25519b.d"),
    importCase(KINDS[3]!, "jwk.oth = []"),
    importCase(KINDS[3]!, 'jwk.oth = [{ r: "AQ", d: "AQ", t: "AQ" }]'),
    importCase(KINDS[3]!, "for (const name of ['p', 'q', 'dp', 'dq', 'qi']) delete jwk[name]"),
    importCase(KINDS[3]!, "[jwk.p, jwk.q] = [jwk.q, jwk.p]"),
  ];
  return [...general, ...members, ...algs, ...mixed];
}
