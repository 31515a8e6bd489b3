// Part of every program: runs in each realm that is compared, so it uses nothing but ECMAScript and the
// globals under test. (A script, not a module: its completion value is what programs get.)
(() => {
  const hex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

  const showKey = (key) => ({
    CryptoKey: key.type,
    extractable: key.extractable,
    algorithm: show(key.algorithm),
    usages: [...key.usages],
  });

  const showObject = (value) => {
    const shown = {};
    for (const name of Object.keys(value).sort()) {
      shown[name] = show(value[name]);
    }
    return shown;
  };

  /** A value as plain JSON with its kind in it, the same in every realm for the same value. */
  const show = (value) => {
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (typeof value === "number")
      return Object.is(value, -0) ? "-0" : Number.isFinite(value) ? value : `${value}`;
    if (typeof value !== "object") return `${typeof value} ${String(value)}`;
    if (value instanceof SharedArrayBuffer) return `SharedArrayBuffer ${value.byteLength}`;
    if (value instanceof ArrayBuffer) return `ArrayBuffer ${toHex(new Uint8Array(value))}`;
    if (ArrayBuffer.isView(value)) return `${value[Symbol.toStringTag]} ${toHex(bytesOf(value))}`;
    if (value instanceof CryptoKey) return showKey(value);
    if (value instanceof DOMException)
      return { DOMException: value.name, message: value.message, code: value.code };
    if (value instanceof Error)
      return { Error: value.name, message: value.message, cause: show(value.cause) };
    if (value instanceof Date) return `Date ${value.getTime()}`;
    if (value instanceof RegExp) return `RegExp ${value} ${value.lastIndex}`;
    if (value instanceof Map) return { Map: [...value].map(show) };
    if (value instanceof Set) return { Set: [...value].map(show) };
    if (
      value instanceof Boolean ||
      value instanceof Number ||
      value instanceof String ||
      value instanceof BigInt
    ) {
      return { boxed: show(value.valueOf()) };
    }
    return Array.isArray(value) ? Array.from(value, show) : showObject(value);
  };

  /** What a program came to: its value, or the name of its error and whether that is a DOMException. */
  const outcome = async (program) => {
    try {
      return JSON.stringify({ value: show(await program()) });
    } catch (error) {
      return JSON.stringify({ error: error?.name ?? String(error), dom: error instanceof DOMException });
    }
  };

  return { hex, toHex, show, outcome };
})();
