import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Host } from "./targets.ts";

/** Why the kernel would not run a file, or what it runs would crash: `damaged` is no program, or only its beginning. */
export type ProgramFault = "damaged" | "other-platform";

/**
 * What the headers of a program say: how long the file has to be for everything that they point at, 0 where
 * that was not looked at; and its processors in the numbers of its format, of which only Mach-O has several.
 */
type Program = [neededBytes: number, ...cpus: number[]];

/** Processors in the numbers of ELF, Mach-O and PE; none means another one in another format. */
const cpuNumbers: Record<string, Record<string, number>> = {
  linux: { x64: 62, arm64: 183 },
  darwin: { x64: 0x1000007, arm64: 0x100000c },
  win32: { x64: 0x8664, arm64: 0xaa64 },
};

/** More than the headers of the engines have. */
const headBytes = 16_384;

/**
 * True when the kernel would accept the file. For a caller that replaces its process: `process.execve` of
 * Node 22 and 24 does not throw on failure, it aborts the process with a native stack trace. And a child
 * process of Node's that is refused with ENOEXEC is handed to `sh`.
 */
export function isWholeProgram(path: string, host: Host): boolean {
  return checkProgram(path, host) === undefined;
}

/**
 * Looks into the headers of a file: ELF, Mach-O (thin and universal) and PE have to be for `host`, the first
 * two complete; a `#!` script is taken as it is. Undefined when nothing is wrong; a file that may be run but
 * not read is unusual and fine.
 */
export function checkProgram(path: string, host: Host): ProgramFault | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    // A DataView: this runs before every start of the engine, each function for the first time, and those
    // of Buffer take three times as long then.
    const head = new DataView(new ArrayBuffer(Math.min(headBytes, size)));
    readSync(file, head);
    return checkHead(head, size, host);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? undefined : "damaged";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** @throws RangeError when the headers do not end within `head` */
function checkHead(head: DataView, size: number, host: Host): ProgramFault | undefined {
  const magic = head.getUint32(0);
  // `#!`
  if (magic >>> 16 === 0x2321) return undefined;
  const [neededBytes, ...cpus] = readProgram(magic, head);
  if (neededBytes > size) return "damaged";
  const os = host.platform === "android" ? "linux" : host.platform;
  return cpus.includes(cpuNumbers[os]?.[host.arch] ?? 0) ? undefined : "other-platform";
}

function readProgram(magic: number, head: DataView): Program {
  if (magic === 0x7f454c46) return readElf(head);
  if (magic === 0xcffaedfe) return readMachO(head);
  if (magic === 0xcafebabe) return readUniversal(head);
  // PE. Windows itself refuses one that is incomplete, without harm.
  const at = magic >>> 16 === 0x4d5a ? head.getUint32(60, true) : 0;
  return head.getUint32(at) === 0x50450000 ? [0, head.getUint16(at + 4, true)] : [Number.POSITIVE_INFINITY];
}

/** Complete with the section table, which linkers put last, and every segment. */
function readElf(head: DataView): Program {
  // 64-bit, little-endian: as all engines are.
  if (head.getUint16(4) !== 0x201) return [0];
  let neededBytes = readLong(head, 40) + head.getUint16(58, true) * head.getUint16(60, true);
  for (let at = readLong(head, 32), count = head.getUint16(56, true); count-- > 0; at += 56) {
    neededBytes = Math.max(neededBytes, readLong(head, at + 8) + readLong(head, at + 32));
  }
  return [neededBytes, head.getUint16(18, true)];
}

/** Complete with every segment. */
function readMachO(head: DataView): Program {
  let neededBytes = 0;
  for (let at = 32, count = head.getUint32(16, true); count-- > 0; at += head.getUint32(at + 4, true)) {
    if (head.getUint32(at, true) === 0x19) {
      neededBytes = Math.max(neededBytes, readLong(head, at + 40) + readLong(head, at + 48));
    }
  }
  return [neededBytes, head.getUint32(4, true)];
}

/** A table of one Mach-O file for each processor, in the byte order of old. */
function readUniversal(head: DataView): Program {
  const program: Program = [0];
  for (let at = 8; program.length <= head.getUint32(4); at += 20) program.push(head.getUint32(at));
  return program;
}

function readLong(head: DataView, offset: number): number {
  return Number(head.getBigUint64(offset, true));
}
