// `crypto`, and the globals that code with it needs: the layer decides, the native side computes.
(function webCrypto(native, realm) {
  const { callCrypto: call, hasHiddenState } = native;
  realm.installWebCrypto(globalThis, { __proto__: null, call, hasHiddenState });
});
