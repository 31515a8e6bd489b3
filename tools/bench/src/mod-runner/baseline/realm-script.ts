/** Runs once in every context, before any mod: what a mod gets, and how the runner calls into it. */
export const realmScript = `(native, globals) => {
  "use strict";
  const { parse, stringify } = JSON;
  const { freeze } = Object;
  const waiting = new Map();

  const host = freeze({
    __proto__: null,
    call: (operation, input) => new Promise((resolve, reject) => {
      const text = input === undefined ? "null" : stringify(input);
      waiting.set(native.request(String(operation), text), { resolve, reject });
    }),
  });

  const write = (level) => (...values) => native.log(level, values);
  const [debug, info, warn, error] = ["debug", "info", "warn", "error"].map(write);
  globalThis.console = { debug, log: info, info, warn, error, trace: debug };

  for (const name of globals) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      enumerable: false,
      get: () => native.readGlobal(name),
    });
  }

  const settle = (request, text, refusal) => {
    const { resolve, reject } = waiting.get(request);
    waiting.delete(request);
    if (refusal === undefined) resolve(parse(text));
    else {
      const error = new Error(refusal.message);
      error.name = "HostError";
      error.code = refusal.code;
      reject(error);
    }
  };

  const finish = (value, done, fail) => {
    let text;
    try {
      text = value === undefined ? "null" : stringify(value);
    } catch (error) {
      return fail(error, "result");
    }
    done(text);
  };

  const call = (hook, input, done, fail) => {
    const failed = (error) => fail(error, "mod");
    try {
      const value = hook(parse(input), host);
      if (value instanceof Promise) value.then((resolved) => finish(resolved, done, fail), failed);
      else if (typeof value?.then === "function") {
        Promise.resolve(value).then((resolved) => finish(resolved, done, fail), failed);
      } else finish(value, done, fail);
    } catch (error) {
      failed(error);
    }
  };

  return { parse, settle, call };
}`;
