// What tests take for granted of a page or worker. The names in capitals are put in by program.rs.
globalThis.self = globalThis;
globalThis.location = { search: VARIANT, href: `https://web-platform.test/${VARIANT}` };
globalThis.isSecureContext = true;
globalThis.GLOBAL = { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false };
{
  const interfaces = INTERFACES;
  globalThis.fetch = async (path) => ({
    ok: path in interfaces,
    status: path in interfaces ? 200 : 404,
    text: async () => interfaces[path],
  });
}
// Only for names that testharness.js shows; nothing waits here, and there is no clock to wait for.
globalThis.URLSearchParams ??= class {
  constructor(query) {
    this.query = query;
  }
  has(name) {
    return this.query.includes(`${name}=`);
  }
  getAll() {
    return [];
  }
};
// Tests assign these without declaring them, which the strict code of a module may not.
for (const name of ["publicKey", "publicKeys", "privateKeys", "ecdsaKeyPairs", "noDeriveBitsKeys", "noDeriveKeyKeys"]) {
  globalThis[name] = undefined;
}
