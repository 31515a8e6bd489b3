// What the other files use of the language, taken before any mod could change it.
(function primordials(_native, realm) {
  const { bind, call } = Function.prototype;
  /** Turns a method into a function that takes `this` first and trusts no prototype later. */
  const uncurryThis = bind.bind(call);

  realm.ToString = String;
  realm.ArrayIsArray = Array.isArray;
  realm.ArrayPush = uncurryThis(Array.prototype.push);
  realm.ArrayPop = uncurryThis(Array.prototype.pop);
  // Not `instanceof`, which asks `Symbol.hasInstance` and the constructor's present prototype.
  const { prototype } = Error;
  const isPrototypeOf = uncurryThis(Object.prototype.isPrototypeOf);
  realm.IsError = (value) => isPrototypeOf(prototype, value);
  realm.ErrorToString = uncurryThis(Error.prototype.toString);
  realm.MathMin = Math.min;
  realm.ObjectDefineProperty = Object.defineProperty;
  realm.ObjectFreeze = Object.freeze;
  realm.ObjectGetOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
  realm.ObjectIs = Object.is;
  realm.ReflectOwnKeys = Reflect.ownKeys;
  realm.JSONStringify = JSON.stringify;
  realm.StringSlice = uncurryThis(String.prototype.slice);
  realm.SymbolToString = uncurryThis(Symbol.prototype.toString);
});
