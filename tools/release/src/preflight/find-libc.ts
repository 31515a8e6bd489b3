const elfMagic = 0x7f454c46;
const interpreterSegment = 3;

/**
 * The C library that a 64-bit little-endian ELF program asks its loader for; undefined for a program that is
 * linked statically, and for every other format. A glibc program in a package for musl installs and then does
 * not start (https://github.com/BoundaryML/baml/issues/4355).
 */
export function findLibc(program: Buffer): "glibc" | "musl" | undefined {
  if (program.length < 64 || program.readUInt32BE(0) !== elfMagic || program.readUInt16BE(4) !== 0x201) {
    return undefined;
  }
  const [start, size, count] = [
    Number(program.readBigUInt64LE(32)),
    program.readUInt16LE(54),
    program.readUInt16LE(56),
  ];
  for (let index = 0; index < count; index += 1) {
    const at = start + index * size;
    if (at + 56 > program.length || program.readUInt32LE(at) !== interpreterSegment) continue;
    const offset = Number(program.readBigUInt64LE(at + 8));
    const length = Number(program.readBigUInt64LE(at + 32));
    const loader = program.subarray(offset, offset + length).toString("latin1");
    return loader.includes("musl") ? "musl" : "glibc";
  }
  return undefined;
}
