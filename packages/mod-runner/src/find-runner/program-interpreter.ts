import { closeSync, existsSync, openSync, readSync } from "node:fs";

/**
 * The dynamic loader that an ELF program asks for, if this machine does not have it: the program is for
 * another C library then, and starting it would fail with an ENOENT that seems to speak of the program.
 */
export function findMissingInterpreter(path: string): string | undefined {
  const interpreter = readInterpreter(path);
  return interpreter === undefined || existsSync(interpreter) ? undefined : interpreter;
}

/**
 * The dynamic loader that an ELF program asks for; undefined for what is no 64-bit little-endian ELF file, is
 * linked statically, or cannot be read.
 */
export function readInterpreter(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      return parseInterpreter(file);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function parseInterpreter(file: number): string | undefined {
  const head = readAt(file, 0, 64);
  if (head.readUInt32BE(0) !== 0x7f454c46 || head.readUInt16BE(4) !== 0x0201) return undefined;
  const tableAt = Number(head.readBigUInt64LE(32));
  const count = head.readUInt16LE(56);
  const table = readAt(file, tableAt, count * 56);
  for (let at = 0; at < table.length; at += 56) {
    // PT_INTERP
    if (table.readUInt32LE(at) !== 3) continue;
    const length = Number(table.readBigUInt64LE(at + 32));
    return readAt(file, Number(table.readBigUInt64LE(at + 8)), length - 1).toString("utf8");
  }
  return undefined;
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.min(length, 65_536));
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
}
