/**
 * The Encoding Standard's labels of the encodings that mods get: UTF-8, UTF-16 in both orders, and
 * windows-1252, which is what `latin1` and `ascii` mean there. Every other label is a RangeError.
 */
import { bare, fromCharCode, stringCharCodeAt, stringSlice } from "../realm/primordials.ts";

export type EncodingName = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const ENCODINGS: { readonly [label: string]: EncodingName } = bare({
  "unicode-1-1-utf-8": "utf-8",
  unicode11utf8: "utf-8",
  unicode20utf8: "utf-8",
  "utf-8": "utf-8",
  utf8: "utf-8",
  "x-unicode20utf8": "utf-8",
  unicodefffe: "utf-16be",
  "utf-16be": "utf-16be",
  csunicode: "utf-16le",
  "iso-10646-ucs-2": "utf-16le",
  "ucs-2": "utf-16le",
  unicode: "utf-16le",
  unicodefeff: "utf-16le",
  "utf-16": "utf-16le",
  "utf-16le": "utf-16le",
  "ansi_x3.4-1968": "windows-1252",
  ascii: "windows-1252",
  cp1252: "windows-1252",
  cp819: "windows-1252",
  csisolatin1: "windows-1252",
  ibm819: "windows-1252",
  "iso-8859-1": "windows-1252",
  "iso-ir-100": "windows-1252",
  "iso8859-1": "windows-1252",
  iso88591: "windows-1252",
  "iso_8859-1": "windows-1252",
  "iso_8859-1:1987": "windows-1252",
  l1: "windows-1252",
  latin1: "windows-1252",
  "us-ascii": "windows-1252",
  "windows-1252": "windows-1252",
  "x-cp1252": "windows-1252",
});

/** The encoding of a label, whatever its case and the white space around it. */
export function encodingOf(label: string): EncodingName | undefined {
  let start = 0;
  let end = label.length;
  while (start < end && isAsciiWhitespace(stringCharCodeAt(label, start))) {
    start += 1;
  }
  while (end > start && isAsciiWhitespace(stringCharCodeAt(label, end - 1))) {
    end -= 1;
  }
  return ENCODINGS[asciiLowerCase(stringSlice(label, start, end))];
}

/** Tab, line feed, form feed, carriage return, space. */
export function isAsciiWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** Only A to Z change: other letters that Unicode lowers to ASCII do not make a name. */
export function asciiLowerCase(text: string): string {
  let lower = "";
  for (let index = 0; index < text.length; index += 1) {
    const code = stringCharCodeAt(text, index);
    lower += fromCharCode(code >= 65 && code <= 90 ? code + 32 : code);
  }
  return lower;
}
