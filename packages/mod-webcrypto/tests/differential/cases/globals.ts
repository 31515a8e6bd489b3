import { type Case, combinations } from "../case.ts";

export function globalCases(): Case[] {
  return [
    ...decoderCases(),
    ...encoderCases(),
    ...base64Cases(),
    ...cloneCases(),
    ...randomCases(),
    ...exceptionCases(),
  ];
}

function decoderCases(): Case[] {
  const inputs = [
    "",
    "61",
    "c3a9",
    "e282ac",
    "f09f9880",
    "efbbbf61",
    "efbbbfefbbbf61",
    "80",
    "c3",
    "c328",
    "e28261",
    "e282",
    "f09f98",
    "f09f9861",
    "c080",
    "c1bf",
    "e08080",
    "eda080",
    "edbfbf",
    "f0808080",
    "f48fbfbf",
    "f4908080",
    "f5808080",
    "ff",
    "fe",
    "61ff62",
    "f0f09f9880",
    "e2e282ac",
    "0061",
    "6100",
    "feff0061",
    "fffe6100",
    "d83dde00",
    "3dd800de",
    "d83d",
    "00d8",
    "3dd8",
    "00dc6100",
    "610062",
    "808182838485868788898a8b8c8d8e8f",
    "909192939495969798999a9b9c9d9e9f",
    "a0a1feff",
  ];
  const decoded = combinations(
    inputs,
    ["utf-8", "utf-16le", "utf-16be", "latin1"],
    ["{}", "{ fatal: true }", "{ ignoreBOM: true }"],
  ).map(([input, label, options]) => ({
    id: `decode ${input} as ${label} ${options}`,
    program: `return new TextDecoder("${label}", ${options}).decode(hex("${input}"))`,
  }));
  const labels = [
    "utf8",
    "UTF-8",
    " utf-8\\n",
    "unicode-1-1-utf-8",
    "x-unicode20utf8",
    "utf-16",
    "ucs-2",
    "unicode",
    "csunicode",
    "unicodefffe",
    "ascii",
    "us-ascii",
    "iso-8859-1",
    "iso_8859-1:1987",
    "windows-1252",
    "x-cp1252",
    "l1",
    "cp819",
    "\\u00a0utf-8",
    "utf-7",
    "utf-32",
    "",
    "nothing",
    "\\u212autf8",
    "iso-8859-2",
    "shift_jis",
    "gbk",
    "big5",
    "euc-kr",
    "koi8-r",
    "windows-1251",
    "macintosh",
    "x-user-defined",
    "replacement",
  ].map((label) => ({
    id: `TextDecoder("${label}")`,
    program: `const decoder = new TextDecoder("${label}"); return [decoder.encoding, decoder.fatal, decoder.ignoreBOM]`,
  }));
  const streams = combinations(
    ["efbbbf61e282ac", "3dd800de6100", "f09f9880ff61"],
    ["utf-8", "utf-16le", "utf-16be"],
    [1, 2, 3],
  ).map(([input, label, step]) => ({
    id: `decode ${input} as ${label} in steps of ${step}`,
    program: `
        const decoder = new TextDecoder("${label}");
        const parts = [];
        for (let at = 0; at < ${input.length / 2}; at += ${step}) {
          parts.push(decoder.decode(hex("${input}").subarray(at, at + ${step}), { stream: true }));
        }
        return [parts, decoder.decode(), decoder.decode(hex("${input}"))];`,
  }));
  const long = ["utf-8", "utf-16le", "utf-16be", "latin1"].map((label) => ({
    id: `decode 5000 bytes as ${label}`,
    program: `return new TextDecoder("${label}").decode(new Uint8Array(5000).map((_, index) => (index * index + index) % 251))`,
  }));
  const round = [
    'const text = "aé€😀".repeat(1111); return new TextDecoder().decode(new TextEncoder().encode(text)) === text',
    'const d = new TextDecoder("utf-8", { fatal: true }); try { d.decode(new Uint8Array(3000).fill(255)); } catch {} return d.decode(hex("6162"))',
  ].map((program) => ({ id: `TextDecoder: ${program}`, program }));
  const more = [
    'const d = new TextDecoder("utf-8", { fatal: true }); d.decode(hex("e2"), { stream: true }); return d.decode()',
    'const d = new TextDecoder("utf-8", { fatal: true }); try { d.decode(hex("ff")); } catch {} return d.decode(hex("61"))',
    'return new TextDecoder().decode(new DataView(hex("616263").buffer, 1))',
    'return new TextDecoder().decode(hex("616263").buffer)',
    "return new TextDecoder().decode(new SharedArrayBuffer(2))",
    "return new TextDecoder().decode(new Uint8Array(new SharedArrayBuffer(2)))",
    "return new TextDecoder().decode()",
    "return new TextDecoder().decode(null)",
    'return new TextDecoder().decode("text")',
    "return new TextDecoder().decode([1])",
    'return new TextDecoder("utf-8", null).fatal',
    'return new TextDecoder("utf-8", 5).fatal',
    "return TextDecoder()",
    "return TextDecoder.prototype.decode.call({}, new Uint8Array(1))",
    "return [Object.prototype.toString.call(new TextDecoder()), Object.prototype.toString.call(new TextEncoder())]",
  ].map((program) => ({ id: `TextDecoder: ${program}`, program }));
  return [...decoded, ...labels, ...streams, ...long, ...round, ...more];
}

function encoderCases(): Case[] {
  const texts = [
    "",
    "a",
    "é",
    "€",
    "😀",
    "\ud83d",
    "\ude00",
    "\ude00\ud83d",
    "a\ud83db",
    "\u0000",
    "\uffff",
    "é€😀a",
  ];
  const encoded = texts.map((text) => ({
    id: `encode ${JSON.stringify(text)}`,
    program: `return new TextEncoder().encode(${JSON.stringify(text)})`,
  }));
  const into = combinations(texts, [0, 1, 2, 3, 4, 10]).map(([text, room]) => ({
    id: `encode ${JSON.stringify(text)} into ${room} bytes`,
    program: `const room = new Uint8Array(${room}); return [new TextEncoder().encodeInto(${JSON.stringify(text)}, room), room]`,
  }));
  const more = [
    "return new TextEncoder().encode()",
    "return new TextEncoder().encode(undefined)",
    "return new TextEncoder().encode(null)",
    "return new TextEncoder().encode(5)",
    "return new TextEncoder().encode(Symbol())",
    'return new TextEncoder("utf-16").encoding',
    'return new TextEncoder().encodeInto("a")',
    'return new TextEncoder().encodeInto("a", new Uint16Array(2))',
    "return TextEncoder()",
  ].map((program) => ({ id: `TextEncoder: ${program}`, program }));
  return [...encoded, ...into, ...more];
}

function base64Cases(): Case[] {
  const encoded = [
    "",
    "YQ==",
    "YWI=",
    "YWJj",
    "YQ",
    "YWI",
    "Y",
    "YQ=",
    "YQ===",
    "YWJj=",
    "=",
    "==",
    "Y=Q=",
    " Y Q\\n= =\\t",
    "YQ==\\f\\r",
    "YQ\\u00a0==",
    "YR==",
    "YWJ=",
    "+/+/",
    "-_-_",
    "\\u0000",
    "YQ==YQ==",
    "____",
    "[]",
    "a b c d",
    "\\v",
  ];
  const values = ["null", "undefined", "5", "12", "true", "Symbol()", "[]", "{ toString: () => 'YQ==' }"];
  const plain = ["", "a", "ab", "abc", "\\u00ff\\u0080\\u0000", "\\u0100", "é", "😀"];
  return [
    ...encoded.map((text) => ({ id: `atob("${text}")`, program: `return atob("${text}")` })),
    ...plain.map((text) => ({ id: `btoa("${text}")`, program: `return btoa("${text}")` })),
    ...values.flatMap((value) => [
      { id: `atob(${value})`, program: `return atob(${value})` },
      { id: `btoa(${value})`, program: `return btoa(${value})` },
    ]),
    { id: "atob()", program: "return atob()" },
    { id: "btoa()", program: "return btoa()" },
  ];
}

function cloneCases(): Case[] {
  const values = [
    "undefined",
    "null",
    "true",
    "-0",
    "NaN",
    "1n",
    '"text"',
    "Symbol()",
    "() => {}",
    "class {}",
    "new Boolean(false)",
    "new Number(-0)",
    'new String("text")',
    "Object(1n)",
    "Object(Symbol())",
    "new Date(5)",
    "new Date(NaN)",
    "/a(b)/dgi",
    "Object.assign(/a/g, { lastIndex: 3 })",
    "[1, , 3]",
    "Object.assign([1], { extra: 2 })",
    "new Array(5)",
    "{ a: { b: [1] } }",
    "{ get a() { return 7; } }",
    "Object.create({ inherited: 1 })",
    "Object.create(null, { a: { value: 1, enumerable: true }, b: { value: 2 } })",
    '{ ["__proto__"]: 5 }',
    "{ [Symbol()]: 1 }",
    "new Map([[1, { a: 1 }], [{}, 2]])",
    'new Set([1, "a", {}])',
    "Object.assign(new Map(), { extra: 1 })",
    "new Uint8Array([1, 2, 3]).subarray(1)",
    "new Float64Array([1.5])",
    "new BigInt64Array([1n])",
    "new DataView(new ArrayBuffer(4), 1, 2)",
    "new ArrayBuffer(3)",
    "new ArrayBuffer(3, { maxByteLength: 9 })",
    "new Error('message')",
    "new TypeError('message', { cause: { a: 1 } })",
    "Object.assign(new Error('m'), { name: 'Odd', extra: 1 })",
    "new RangeError()",
    "new AggregateError([1], 'm')",
    "new DOMException('message', 'DataError')",
    "new WeakMap()",
    "new WeakSet()",
    "new WeakRef({})",
    "Promise.resolve()",
    "new Proxy({}, {})",
    "(function* () {})()",
    "[][Symbol.iterator]()",
    "new Map().entries()",
    "(function () { return arguments; })(1, 2)",
    "new Intl.NumberFormat()",
    "globalThis.Math",
    "new (class A { x = 1; #y = 2 })()",
    "Object.freeze({ a: 1 })",
    "{ a: undefined }",
    "{ then: 5 }",
    "key",
    "{ key }",
    "keys.p256a",
    "new TextEncoder()",
    "{ get a() { throw new RangeError('mine'); } }",
    "new SharedArrayBuffer(2)",
  ];
  const setup =
    'const key = await subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt"]);';
  const cloned = values.map((value) => ({
    id: `structuredClone(${value})`,
    program: `${setup} return structuredClone(${value})`,
  }));
  const programs = [
    "const a = {}; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b]",
    "const a = []; const b = structuredClone([a, a]); return b[0] === b[1]",
    "const a = new Map(); a.set(a, a); const b = structuredClone(a); return b.get(b) === b",
    "const a = new ArrayBuffer(4); const b = structuredClone([new Uint8Array(a), new Uint16Array(a, 2)]); return b[0].buffer === b[1].buffer",
    "const a = new ArrayBuffer(4); const b = structuredClone(a, { transfer: [a] }); return [a.byteLength, b.byteLength]",
    "const a = Uint8Array.of(1, 2); const b = structuredClone({ a }, { transfer: [a.buffer] }); return [a.length, b.a]",
    "const a = new ArrayBuffer(4); structuredClone(1, { transfer: [a] }); return a.byteLength",
    "const a = new ArrayBuffer(4); return structuredClone(1, { transfer: [a, a] })",
    "const a = new ArrayBuffer(4); a.transfer(); return structuredClone(a)",
    "const a = new ArrayBuffer(4); a.transfer(); return structuredClone(1, { transfer: [a] })",
    "const a = new ArrayBuffer(4); try { structuredClone(() => {}, { transfer: [a] }); } catch {} return a.byteLength",
    "return structuredClone(1, { transfer: [{}] })",
    "return structuredClone(1, { transfer: 5 })",
    "return structuredClone(1, { transfer: null })",
    "return structuredClone(1, null)",
    "return structuredClone(1, 5)",
    "return structuredClone()",
    "return new structuredClone(1)",
    "return [structuredClone.name, structuredClone.length, atob.name, atob.length, btoa.name, btoa.length]",
    "const e = structuredClone(new EvalError('m')); return [e instanceof EvalError, Object.keys(e), typeof e.stack]",
    "const a = structuredClone(key); return [a !== key, a instanceof CryptoKey, a.extractable, (await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, a, new Uint8Array(1))).byteLength]",
    "const a = new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })); const b = structuredClone(a); b.buffer.resize(12); return b.length",
    "const r = new ArrayBuffer(8, { maxByteLength: 16 }); const a = new Uint8Array(r, 4); r.resize(2); return structuredClone(a)",
    "let a = {}; for (let i = 0; i < 500; i++) a = { a }; let b = structuredClone(a); let n = 0; while ((b = b.a)) n++; return n",
  ].map((program) => ({ id: `structuredClone: ${program}`, program: `${setup} ${program}` }));
  return [...cloned, ...programs];
}

function randomCases(): Case[] {
  const arrays = [
    "new Uint8Array(0)",
    "new Uint8Array(16)",
    "new Uint8ClampedArray(4)",
    "new Int8Array(4)",
    "new Uint16Array(4)",
    "new Int16Array(4)",
    "new Uint32Array(4)",
    "new Int32Array(4)",
    "new BigInt64Array(2)",
    "new BigUint64Array(2)",
    "new Float32Array(4)",
    "new Float64Array(4)",
    "new DataView(new ArrayBuffer(4))",
    "new ArrayBuffer(4)",
    "new Uint8Array(65536)",
    "new Uint8Array(65537)",
    "new Uint32Array(16384)",
    "new Uint32Array(16385)",
    "new Float32Array(20000)",
    "[]",
    "{}",
    "null",
    "undefined",
    '"text"',
    "new Uint8Array(new SharedArrayBuffer(4))",
  ];
  const filled = arrays.map((array) => ({
    id: `getRandomValues(${array})`,
    program: `const array = ${array}; const result = crypto.getRandomValues(array); return [result === array, array.length]`,
  }));
  const programs = [
    "return crypto.getRandomValues()",
    "return crypto.getRandomValues.call({}, new Uint8Array(1))",
    "const a = new Uint8Array(64).fill(0); crypto.getRandomValues(a.subarray(8, 56)); return [a.subarray(0, 8), a.subarray(8, 56).every((byte) => byte === 0), a.subarray(56)]",
    "return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())",
    "return crypto.randomUUID() === crypto.randomUUID()",
    "return crypto.randomUUID.call({})",
    "return Object.keys(Object.getOwnPropertyDescriptors(Crypto.prototype)).sort()",
    "return Object.getOwnPropertyDescriptor(Crypto.prototype, 'subtle').get.call({})",
  ].map((program) => ({ id: `crypto: ${program}`, program }));
  return [...filled, ...programs];
}

function exceptionCases(): Case[] {
  const names = [
    "DataError",
    "OperationError",
    "NotSupportedError",
    "SyntaxError",
    "InvalidAccessError",
    "QuotaExceededError",
    "DataCloneError",
    "Odd",
    "",
  ];
  return [
    ...names.map((name) => ({
      id: `DOMException named "${name}"`,
      program: `const e = new DOMException("text", "${name}"); return [e.name, e.message, e.code, String(e), e instanceof Error]`,
    })),
    ...[
      "return new DOMException()",
      "return new DOMException(undefined, undefined)",
      "return new DOMException(5)",
      "return DOMException()",
      "return [DOMException.DATA_CLONE_ERR, DOMException.prototype.SYNTAX_ERR, DOMException.length]",
      "const e = new DOMException('a'); return [Object.prototype.toString.call(e), typeof e.stack, Object.keys(e)]",
      "return Object.getOwnPropertyDescriptor(DOMException.prototype, 'name').get.call({})",
      "class Mine extends DOMException {} const e = new Mine('a', 'b'); return [e instanceof Mine, e.name]",
    ].map((program) => ({ id: `DOMException: ${program}`, program })),
  ];
}
