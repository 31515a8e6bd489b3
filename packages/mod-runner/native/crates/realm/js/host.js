// The second argument of every hook: what a mod may ask of its host.
(function host(native, realm) {
  const { callHost } = native;
  realm.host = realm.ObjectFreeze({
    __proto__: null,
    /** A promise of what the host answers; rejected with a HostError. */
    call: (operation, input) => callHost(operation, input),
  });
});
