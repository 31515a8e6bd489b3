/** Headers of each format as its specification has them, and content to the length that they speak of. */
const contentBytes = 10_000;

/** ELF with one segment and a section table behind it. */
export function createElf(machine: number, { elfClass = 2, endianness = 1 } = {}): Buffer {
  const file = Buffer.alloc(contentBytes);
  file.set([0x7f, 0x45, 0x4c, 0x46, elfClass, endianness, 1]);
  if (endianness === 1) file.writeUInt16LE(machine, 18);
  else file.writeUInt16BE(machine, 18);
  file.writeBigUInt64LE(64n, 32);
  file.writeBigUInt64LE(BigInt(contentBytes - 2 * 64), 40);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt16LE(64, 58);
  file.writeUInt16LE(2, 60);
  file.writeBigUInt64LE(4096n, 64 + 8);
  file.writeBigUInt64LE(4000n, 64 + 32);
  return file;
}

/** Mach-O of one processor with one segment. */
export function createMachO(cpuType: number): Buffer {
  const file = Buffer.alloc(contentBytes);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(cpuType, 4);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(16 + 72, 20);
  file.writeUInt32LE(0x1b, 32);
  file.writeUInt32LE(16, 36);
  file.writeUInt32LE(0x19, 48);
  file.writeUInt32LE(72, 52);
  file.writeBigUInt64LE(4096n, 48 + 40);
  file.writeBigUInt64LE(BigInt(contentBytes - 4096), 48 + 48);
  return file;
}

/** Universal Mach-O of several processors. */
export function createUniversal(cpuTypes: readonly number[]): Buffer {
  const table = Buffer.alloc(8 + cpuTypes.length * 20);
  table.writeUInt32BE(0xcafebabe, 0);
  table.writeUInt32BE(cpuTypes.length, 4);
  cpuTypes.forEach((cpuType, index) => {
    const at = 8 + index * 20;
    table.writeUInt32BE(cpuType, at);
    table.writeUInt32BE(table.length + index * contentBytes, at + 8);
    table.writeUInt32BE(contentBytes, at + 12);
  });
  return Buffer.concat([table, ...cpuTypes.map(createMachO)]);
}

/** PE, the machine's type only. */
export function createPe(machine: number): Buffer {
  const file = Buffer.alloc(contentBytes);
  file.write("MZ");
  file.writeUInt32LE(128, 60);
  file.write("PE\0\0", 128, "latin1");
  file.writeUInt16LE(machine, 132);
  return file;
}
