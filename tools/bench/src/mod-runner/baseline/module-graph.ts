import { posix } from "node:path";
import vm from "node:vm";
import { ModError } from "./mod-error.ts";
import { type ModFile, readCode } from "./mod-package.ts";
import type { Realm } from "./realm.ts";

/** Compiles and links `path` and all that it imports in the realm's context. @throws ModError */
export function linkModule(files: ReadonlyMap<string, ModFile>, path: string, realm: Realm): vm.Module {
  const modules = new Map<string, vm.Module>();
  const load = (wanted: string, importer: string): vm.Module => {
    const known = modules.get(wanted);
    if (known !== undefined) return known;
    const file = files.get(wanted);
    if (file === undefined) throw refuse(wanted, importer);
    const module = wanted.endsWith(".json") ? createJsonModule(file, realm) : compile(file, realm);
    modules.set(wanted, module);
    if (module instanceof vm.SourceTextModule) {
      const requests = module.moduleRequests.map(({ specifier }) => load(resolve(specifier, wanted), wanted));
      module.linkRequests(requests);
    }
    return module;
  };
  const root = load(path, path);
  if (root instanceof vm.SourceTextModule) root.instantiate();
  return root;
}

function compile(file: ModFile, { context }: Realm): vm.SourceTextModule {
  const code = readCode(file);
  const options = { context, identifier: file.path };
  if (file.cachedData !== undefined) {
    try {
      return new vm.SourceTextModule(code, { ...options, cachedData: file.cachedData });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_VM_MODULE_CACHED_DATA_REJECTED") throw error;
    }
  }
  // Node's declarations know this method on scripts only.
  const module = new vm.SourceTextModule(code, options) as vm.SourceTextModule &
    Pick<vm.Script, "createCachedData">;
  // Only possible before the module has run.
  file.cachedData = module.createCachedData();
  file.isKnown = false;
  return module;
}

function createJsonModule({ path, source }: ModFile, { context, parse }: Realm): vm.SyntheticModule {
  const evaluate = function (this: vm.SyntheticModule) {
    this.setExport("default", parse(source));
  };
  return new vm.SyntheticModule(["default"], evaluate, { context, identifier: path });
}

function resolve(specifier: string, importer: string): string {
  const isRelative = specifier.startsWith("./") || specifier.startsWith("../");
  const path = posix.join(posix.dirname(importer), specifier);
  if (!isRelative || path.startsWith("../") || /[%\\?#]/.test(specifier)) throw refuse(specifier, importer);
  return path;
}

function refuse(specifier: string, importer: string): ModError {
  return new ModError("mod_import_refused", `${importer} imports ${JSON.stringify(specifier)}`);
}
