// `console`: one line of text per call, sent to the host.
(function console_(native, realm) {
  const { ArrayIsArray, ArrayPop, ArrayPush, JSONStringify, ObjectDefineProperty } = realm;
  const { ObjectGetOwnPropertyDescriptor, ObjectIs, ReflectOwnKeys, StringSlice, ToString } = realm;
  const { ErrorToString, IsError, MathMin, SymbolToString } = realm;
  const { log } = native;

  const DEPTH = 4;
  const ENTRIES = 50;
  /** More than the host takes of one line: the native side cuts exactly. */
  const TEXT_LENGTH = 16_384;

  /** An error's stack where it is plain text of its own, else its name and message. */
  const showError = (error) => {
    const stack = ObjectGetOwnPropertyDescriptor(error, "stack")?.value;
    return typeof stack === "string" ? stack : ErrorToString(error);
  };

  const showObject = (object, above) => {
    for (let level = 0; level < above.length; level++) if (above[level] === object) return "[Circular]";
    const isArray = ArrayIsArray(object);
    if (above.length >= DEPTH) return isArray ? "[Array]" : "[Object]";
    ArrayPush(above, object);
    const keys = ReflectOwnKeys(object);
    let text = "";
    let shown = 0;
    const count = MathMin(keys.length, ENTRIES + (isArray ? 1 : 0));
    for (let index = 0; index < count && text.length < TEXT_LENGTH; index++) {
      const key = keys[index];
      const property = ObjectGetOwnPropertyDescriptor(object, key);
      if (property === undefined || (isArray && key === "length")) continue;
      if (shown++ > 0) text += ", ";
      if (!isArray) text += `${typeof key === "symbol" ? `[${SymbolToString(key)}]` : key}: `;
      // A getter is the mod's code; printing must not run it.
      text += "value" in property ? show(property.value, above) : "[Getter]";
    }
    if (keys.length > count) text += ", …";
    ArrayPop(above);
    return isArray ? `[${text}]` : `{${text}}`;
  };

  const show = (value, above) => {
    switch (typeof value) {
      case "string":
        return above.length === 0 ? value : JSONStringify(value);
      case "symbol":
        return SymbolToString(value);
      case "bigint":
        return `${value}n`;
      case "function":
        return "[Function]";
      case "object":
        if (value === null) return "null";
        if (IsError(value)) return showError(value);
        return showObject(value, above);
      default:
        return ObjectIs(value, -0) ? "-0" : ToString(value);
    }
  };

  const write = (level, values) => {
    let text = "";
    for (let index = 0; index < values.length && text.length < TEXT_LENGTH; index++) {
      if (index > 0) text += " ";
      text += show(values[index], []);
    }
    log(level, StringSlice(text, 0, TEXT_LENGTH));
  };

  const console = {
    debug: (...values) => write("debug", values),
    log: (...values) => write("info", values),
    info: (...values) => write("info", values),
    warn: (...values) => write("warn", values),
    error: (...values) => write("error", values),
    trace: (...values) => write("debug", values),
  };
  ObjectDefineProperty(globalThis, "console", {
    __proto__: null,
    value: console,
    enumerable: false,
    configurable: true,
    writable: true,
  });
});
