export {
  createTempDir,
  type FakeEngine,
  linkDir,
  writeEnginePackage,
  writeFiles,
  writePlatformPackage,
  writeVendor,
} from "./fake-install.ts";
export { createElf, createMachO } from "./fake-program.ts";
