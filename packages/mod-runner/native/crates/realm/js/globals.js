// What a mod must not have, or must not be able to change.
(function globals(_native, realm) {
  // Waits without a thread of its own need an event loop, which this realm has not.
  delete Atomics.waitAsync;
  delete globalThis.ShadowRealm;

  // V8 hands a function in this place the call sites of every frame, the runner's among them. A
  // setter that ignores keeps libraries working that assign to it.
  realm.ObjectDefineProperty(Error, "prepareStackTrace", {
    __proto__: null,
    get: () => undefined,
    set: () => {},
    enumerable: false,
    configurable: false,
  });
});
