// As much of testharness.js as this repository's own tests of the mode need. A checkout has the real one.
{
  const waiting = [];
  const results = [];
  const finish = [];
  const run = async (name, body) => {
    try {
      await body();
      results.push({ name, status: 0, message: null });
    } catch (error) {
      results.push({ name, status: 1, message: String(error) });
    }
  };
  const check = (holds, message) => {
    if (!holds) throw new Error(message ?? "assertion failed");
  };
  Object.assign(globalThis, {
    test: (body, name) => waiting.push(() => run(name, body)),
    promise_test: (body, name) => waiting.push(() => run(name, body)),
    assert_true: (value, message) => check(value === true, message),
    assert_equals: (value, expected, message) => check(Object.is(value, expected), message),
    promise_rejects_dom: async (_test, name, promise) => {
      const error = await promise.then(
        () => undefined,
        (reason) => reason,
      );
      check(error instanceof DOMException && error.name === name, `no ${name}`);
    },
    add_completion_callback: (callback) => finish.push(callback),
  });
  Promise.resolve().then(async () => {
    for (const next of waiting) await next();
    for (const callback of finish) callback(results, { status: 0, message: null });
  });
}
