/** The headers of a program and no more: what is looked at before a release, and nothing that could run. */
export function createProgram(os: string, cpu: string, libc?: "glibc" | "musl"): Buffer {
  if (os === "darwin") return createMachO(cpu);
  return os === "win32" ? createPe(cpu) : createElf(cpu, libc);
}

const loaders = { glibc: "/lib64/ld-linux-x86-64.so.2", musl: "/lib/ld-musl-x86_64.so.1" };

function createElf(cpu: string, libc: "glibc" | "musl" | undefined): Buffer {
  const loader = Buffer.from(libc === undefined ? "" : `${loaders[libc]}\0`);
  const program = Buffer.alloc(64 + 56 + loader.length);
  program.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  program.writeUInt16LE(cpu === "x64" ? 62 : 183, 18);
  if (libc === undefined) return program;
  program.writeBigUInt64LE(64n, 32);
  program.writeUInt16LE(56, 54);
  program.writeUInt16LE(1, 56);
  program.writeUInt32LE(3, 64);
  program.writeBigUInt64LE(120n, 72);
  program.writeBigUInt64LE(BigInt(loader.length), 96);
  program.set(loader, 120);
  return program;
}

function createMachO(cpu: string): Buffer {
  const program = Buffer.alloc(64);
  program.writeUInt32BE(0xcffaedfe, 0);
  program.writeUInt32LE(cpu === "x64" ? 0x1000007 : 0x100000c, 4);
  return program;
}

function createPe(cpu: string): Buffer {
  const program = Buffer.alloc(128);
  program.write("MZ", 0, "latin1");
  program.writeUInt32LE(64, 60);
  program.write("PE\0\0", 64, "latin1");
  program.writeUInt16LE(cpu === "x64" ? 0x8664 : 0xaa64, 68);
  return program;
}
