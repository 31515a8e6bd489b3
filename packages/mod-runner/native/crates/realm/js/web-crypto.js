// `crypto`, and the globals that code with it needs, as soon as one of them is used: the layer decides, the
// native side computes.
(function webCrypto(native, realm) {
  const { callCrypto: call, hasHiddenState, loadWebCrypto: loadLayer } = native;
  realm.installWebCrypto(globalThis, { __proto__: null, call, hasHiddenState, loadLayer });
});
