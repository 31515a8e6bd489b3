/** The dictionaries of the standard, each member read once, in the order that Web IDL gives. */
import { domException } from "../realm/dom-exception.ts";
import { bare, typedArrayKind } from "../realm/primordials.ts";
import {
  readMember,
  readRequired,
  toBytes,
  toDomString,
  toUnsignedInRange,
  typeError,
} from "../web-idl/convert.ts";
import type { Params, ReadParams } from "./algorithm.ts";
import { slotsOf } from "./crypto-key.ts";
import { normalize, type Registry } from "./normalize.ts";

/** Reads a member of a dictionary into the parameters. */
type ReadMember = (dictionary: unknown, params: Params) => void;

function dictionary(...members: ReadMember[]): ReadParams {
  return (identifier) => {
    const params: Params = bare({});
    for (let index = 0; index < members.length; index += 1) {
      members[index]!(identifier, params);
    }
    return params;
  };
}

type BytesMember = "additionalData" | "counter" | "info" | "iv" | "label" | "salt";
type NumberMember = "iterations" | "length" | "modulusLength" | "saltLength" | "tagLength";

function bytes(name: BytesMember): ReadMember {
  return (from, params) => {
    params[name] = toBytes(readRequired(from, name), name);
  };
}

function optionalBytes(name: BytesMember): ReadMember {
  return (from, params) => {
    const value = readMember(from, name);
    if (value !== undefined) {
      params[name] = toBytes(value, name);
    }
  };
}

function number(name: NumberMember, bits: 8 | 16 | 32): ReadMember {
  return (from, params) => {
    params[name] = toUnsignedInRange(readRequired(from, name), bits, name);
  };
}

function optionalNumber(name: NumberMember, bits: 8 | 16 | 32): ReadMember {
  return (from, params) => {
    const value = readMember(from, name);
    if (value !== undefined) {
      params[name] = toUnsignedInRange(value, bits, name);
    }
  };
}

const namedCurve: ReadMember = (from, params) => {
  params.namedCurve = toDomString(readRequired(from, "namedCurve"));
};

const publicExponent: ReadMember = (from, params) => {
  const value = readRequired(from, "publicExponent");
  if (typedArrayKind(value) !== "Uint8Array") {
    throw typeError("publicExponent must be a Uint8Array");
  }
  params.publicExponent = toBytes(value, "publicExponent");
};

const publicKey: ReadMember = (from, params) => {
  const slots = slotsOf(readRequired(from, "public"));
  if (slots === undefined) {
    throw typeError("public must be a CryptoKey");
  }
  params.public = slots;
};

export type ParamReaders = ReturnType<typeof createParamReaders>;

/** The readers; a hash is itself an algorithm that must be in `registry`, which may be filled later. */
export function createParamReaders(registry: () => Registry) {
  const hash: ReadMember = (from, params) => {
    params.hash = normalize(registry(), "digest", readRequired(from, "hash")).algorithm.name;
  };
  return {
    aesCbc: dictionary(bytes("iv")),
    aesCtr: dictionary(bytes("counter"), number("length", 8)),
    aesGcm: dictionary(optionalBytes("additionalData"), bytes("iv"), optionalNumber("tagLength", 8)),
    aesKey: dictionary(number("length", 16)),
    ecdsa: dictionary(hash),
    ecKey: dictionary(namedCurve),
    hkdf: dictionary(hash, bytes("info"), bytes("salt")),
    hmacKey: dictionary(hash, optionalNumber("length", 32)),
    pbkdf2: dictionary(hash, number("iterations", 32), bytes("salt")),
    publicKey: dictionary(publicKey),
    rsaImport: dictionary(hash),
    rsaKeyGen: dictionary(number("modulusLength", 32), publicExponent, hash),
    rsaOaep: dictionary(optionalBytes("label")),
    rsaPss: dictionary(number("saltLength", 32)),
  };
}

/** InvalidAccessError unless the key is of the type that the operation needs. */
export function requireType(actual: string, wanted: "public" | "private"): void {
  if (actual !== wanted) {
    throw domException("InvalidAccessError", `the operation needs a ${wanted} key`);
  }
}
