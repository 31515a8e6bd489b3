// Run once, when the snapshot is made: see web_crypto.rs.
{
  const { subtle } = crypto;
  const bytes = new Uint8Array(32);
  const ignore = () => {};
  const use = (work) => {
    try {
      const value = work();
      if (typeof value?.then === "function") value.then(ignore, ignore);
    } catch {
      // No native operation is there.
    }
  };
  const importKey = (algorithm, usages) => subtle.importKey("raw", bytes, algorithm, true, usages);
  const useKey = (algorithm, usages, work) =>
    use(() => importKey(algorithm, usages).then((key) => use(() => work(key)), ignore));

  use(() => new TextDecoder().decode(new TextEncoder().encode("text")));
  use(() => atob(btoa("text")));
  use(() => structuredClone({ list: [1, "text", new Map()] }));
  use(() => crypto.randomUUID());
  use(() => crypto.getRandomValues(bytes));
  use(() => subtle.digest("SHA-256", bytes));
  useKey({ name: "HMAC", hash: "SHA-256" }, ["sign", "verify"], (key) => {
    use(() => subtle.sign("HMAC", key, bytes));
    use(() => subtle.verify("HMAC", key, bytes, bytes));
    use(() => subtle.exportKey("raw", key));
  });
  useKey("AES-GCM", ["encrypt", "decrypt"], (key) => {
    use(() => subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, bytes));
    use(() => subtle.decrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, bytes));
  });
}
