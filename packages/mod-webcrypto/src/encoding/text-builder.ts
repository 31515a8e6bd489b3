/**
 * Collects code units into a text. Joining strings unit by unit is slow, so units wait in one array until
 * there is a chunk of them. Elements are appended once and written to ever after: neither asks
 * `Array.prototype`. There is one array for all, since a decoder runs to its end before anything else does.
 */
import { append, apply, fromCharCode } from "../realm/primordials.ts";

const CHUNK_UNITS = 1024;
const units: number[] = [];
let count = 0;
let text = "";

/** Forgets what a text that failed half-way has left. */
export function beginText(): void {
  count = 0;
  text = "";
}

export function emitUnit(unit: number): void {
  if (count === units.length) append(units, unit);
  else units[count] = unit;
  count += 1;
  if (count === CHUNK_UNITS) {
    text += apply(fromCharCode, undefined, units);
    count = 0;
  }
}

/** The text since it was begun. */
export function endText(): string {
  let whole = text;
  for (let index = 0; index < count; index += 1) {
    whole += fromCharCode(units[index]!);
  }
  beginText();
  return whole;
}
