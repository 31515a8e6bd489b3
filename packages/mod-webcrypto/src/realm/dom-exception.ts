import { bare, captureStackTrace, defineProperty, ErrorConstructor, setPrototypeOf } from "./primordials.ts";
import { stamped } from "./stamp.ts";

/** Names that have a number, at the index of that number (Web IDL, "DOMException names"). */
const NUMBERED: readonly (readonly [constant: string, name: string] | undefined)[] = [
  undefined,
  ["INDEX_SIZE_ERR", "IndexSizeError"],
  ["DOMSTRING_SIZE_ERR", ""],
  ["HIERARCHY_REQUEST_ERR", "HierarchyRequestError"],
  ["WRONG_DOCUMENT_ERR", "WrongDocumentError"],
  ["INVALID_CHARACTER_ERR", "InvalidCharacterError"],
  ["NO_DATA_ALLOWED_ERR", ""],
  ["NO_MODIFICATION_ALLOWED_ERR", "NoModificationAllowedError"],
  ["NOT_FOUND_ERR", "NotFoundError"],
  ["NOT_SUPPORTED_ERR", "NotSupportedError"],
  ["INUSE_ATTRIBUTE_ERR", "InUseAttributeError"],
  ["INVALID_STATE_ERR", "InvalidStateError"],
  ["SYNTAX_ERR", "SyntaxError"],
  ["INVALID_MODIFICATION_ERR", "InvalidModificationError"],
  ["NAMESPACE_ERR", "NamespaceError"],
  ["INVALID_ACCESS_ERR", "InvalidAccessError"],
  ["VALIDATION_ERR", ""],
  ["TYPE_MISMATCH_ERR", "TypeMismatchError"],
  ["SECURITY_ERR", "SecurityError"],
  ["NETWORK_ERR", "NetworkError"],
  ["ABORT_ERR", "AbortError"],
  ["URL_MISMATCH_ERR", "URLMismatchError"],
  ["QUOTA_EXCEEDED_ERR", "QuotaExceededError"],
  ["TIMEOUT_ERR", "TimeoutError"],
  ["INVALID_NODE_TYPE_ERR", "InvalidNodeTypeError"],
  ["DATA_CLONE_ERR", "DataCloneError"],
];

interface Slots {
  readonly message: string;
  readonly name: string;
}

const slots = stamped<Slots>();

/** Web IDL's DOMException: an error object whose name and message nobody can change. */
export class DOMException {
  constructor(message: unknown = "", name: unknown = "Error") {
    const values: Slots = { message: `${message}`, name: `${name}` };
    const error = new ErrorConstructor();
    slots.put(error, values);
    setPrototypeOf(error, new.target.prototype);
    captureStackTrace?.(error, new.target);
    // biome-ignore lint/correctness/noConstructorReturn: an error object made by Error, as Web IDL wants it.
    return error as unknown as DOMException;
  }

  get name(): string {
    return slots.get(this, "DOMException").name;
  }

  get message(): string {
    return slots.get(this, "DOMException").message;
  }

  /** The number of an old name, else 0. */
  get code(): number {
    const { name } = slots.get(this, "DOMException");
    for (let code = 1; code < NUMBERED.length; code += 1) {
      if (name !== "" && NUMBERED[code]![1] === name) {
        return code;
      }
    }
    return 0;
  }
}

setPrototypeOf(DOMException.prototype, ErrorConstructor.prototype);
for (let code = 1; code < NUMBERED.length; code += 1) {
  const constant = bare({ value: code, enumerable: true });
  defineProperty(DOMException, NUMBERED[code]![0], constant);
  defineProperty(DOMException.prototype, NUMBERED[code]![0], constant);
}

export function isDomException(value: unknown): value is DOMException {
  return slots.has(value);
}

export type DomExceptionName =
  | "DataCloneError"
  | "DataError"
  | "InvalidAccessError"
  | "InvalidCharacterError"
  | "NotSupportedError"
  | "OperationError"
  | "QuotaExceededError"
  | "SyntaxError"
  | "TypeMismatchError";

/** An exception to throw; its stack begins where it was made. */
export function domException(name: DomExceptionName, message: string): DOMException {
  return new DOMException(message, name);
}
