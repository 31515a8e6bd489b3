const versionNeedSection = 0x6ffffffe;

/**
 * Versions of symbols that an ELF program asks its system for, such as `GLIBC_2.34`, sorted. It is 64-bit and
 * little-endian, and its headers have been found to be whole.
 */
export function readNeededVersions(file: Buffer): string[] {
  const [table, size, count] = [readLong(file, 40), file.readUInt16LE(58), file.readUInt16LE(60)];
  const versions = new Set<string>();
  for (let index = 0; index < count; index += 1) {
    const section = table + index * size;
    if (file.readUInt32LE(section + 4) !== versionNeedSection) continue;
    const strings = readLong(file, table + file.readUInt32LE(section + 40) * size + 24);
    const libraries = file.readUInt32LE(section + 44);
    let library = readLong(file, section + 24);
    for (let left = libraries; left > 0; left -= 1) {
      let version = library + file.readUInt32LE(library + 8);
      for (let names = file.readUInt16LE(library + 2); names > 0; names -= 1) {
        versions.add(readText(file, strings + file.readUInt32LE(version + 8)));
        version += file.readUInt32LE(version + 12);
      }
      library += file.readUInt32LE(library + 12);
    }
  }
  return [...versions].sort();
}

function readText(file: Buffer, start: number): string {
  return file.toString("latin1", start, file.indexOf(0, start));
}

function readLong(file: Buffer, offset: number): number {
  return Number(file.readBigUInt64LE(offset));
}
