/** `atob` and `btoa` of the HTML Standard. */
import { latin1String } from "../realm/bytes.ts";
import { domException } from "../realm/dom-exception.ts";
import { shapeFunction } from "../realm/interface.ts";
import { stringCharCodeAt, stringSlice, Uint8ArrayConstructor } from "../realm/primordials.ts";
import { requireArguments, toDomString } from "../web-idl/convert.ts";
import { decodeBase64, encodeBase64, PLAIN } from "./base64-codec.ts";
import { isAsciiWhitespace } from "./labels.ts";

const EQUALS = 0x3d;

// Arrow functions, so that `new atob()` is a TypeError as it is for a built-in function.
export const atob = (...given: unknown[]): string => {
  requireArguments(given.length, 1);
  const text = withoutPadding(withoutWhitespace(toDomString(given[0])));
  const bytes = decodeBase64(text, PLAIN);
  if (bytes === undefined) {
    throw domException("InvalidCharacterError", "The string to be decoded is not correctly encoded.");
  }
  return latin1String(bytes);
};

export const btoa = (...given: unknown[]): string => {
  requireArguments(given.length, 1);
  const text = toDomString(given[0]);
  const bytes = new Uint8ArrayConstructor(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = stringCharCodeAt(text, index);
    if (code > 0xff) {
      throw domException("InvalidCharacterError", "Invalid character");
    }
    bytes[index] = code;
  }
  const encoded = encodeBase64(bytes, PLAIN);
  const missing = (4 - (encoded.length % 4)) % 4;
  return missing === 0 ? encoded : `${encoded}${missing === 1 ? "=" : "=="}`;
};

// A bundler may name them otherwise, since the globals have these names.
shapeFunction(atob, 1, "atob");
shapeFunction(btoa, 1, "btoa");

function withoutWhitespace(text: string): string {
  let kept = "";
  for (let index = 0; index < text.length; index += 1) {
    if (!isAsciiWhitespace(stringCharCodeAt(text, index))) {
      kept += text[index];
    }
  }
  return kept;
}

/** Padding is taken off a text of whole groups only; elsewhere it is a wrong character. */
function withoutPadding(text: string): string {
  let end = text.length;
  for (let padding = 0; text.length % 4 === 0 && padding < 2 && end > 0; padding += 1) {
    if (stringCharCodeAt(text, end - 1) !== EQUALS) {
      break;
    }
    end -= 1;
  }
  return stringSlice(text, 0, end);
}
