import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "@typescript/typescript6";

const require = createRequire(import.meta.url);

/** The libraries of the TypeScript that authors use; its own programming interface is not stable yet. */
const native = createRequire(require.resolve("typescript/package.json"));
const libDir = join(
  dirname(native.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
  "lib",
);

export interface DeclaredRealm {
  /** Names of the global values. */
  globals: string[];
  /** Those that are in `types` itself, and no part of the language. */
  own: string[];
  /** `Name.member`, `Name.prototype.member`, and the same of what `Intl` and `Temporal` hold. */
  members: Set<string>;
}

/** What a module sees that is compiled with `types`, a file of declarations, and nothing else. */
export function readDeclaredRealm(types: string): DeclaredRealm {
  const entry = join(import.meta.dirname, "any-module.ts");
  const options: ts.CompilerOptions = { lib: ["lib.es2025.d.ts"], types: [], strict: true };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...rest) =>
    file === entry ? ts.createSourceFile(file, "export {};", rest[0]) : getSourceFile(file, ...rest);
  host.getDefaultLibLocation = () => libDir;
  const program = ts.createProgram([entry, types], options, host);
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  if (problems.length > 0) throw new Error(`${types} does not compile: ${JSON.stringify(problems)}`);
  const checker = program.getTypeChecker();
  const symbols = checker.getSymbolsInScope(program.getSourceFile(entry)!, ts.SymbolFlags.Value);
  const members = new Set<string>();
  for (const symbol of symbols) {
    const type = checker.getTypeOfSymbol(symbol);
    addMembers(symbol.name, type);
    if (["Intl", "Temporal"].includes(symbol.name)) {
      for (const inner of checker.getPropertiesOfType(type)) {
        addMembers(`${symbol.name}.${inner.name}`, checker.getTypeOfSymbol(inner));
      }
    }
  }
  const own = symbols.filter(({ declarations }) =>
    declarations?.some((declaration) => declaration.getSourceFile().fileName === types),
  );
  return { globals: symbols.map(({ name }) => name), own: own.map(({ name }) => name), members };

  function addMembers(path: string, type: ts.Type): void {
    if (path === "globalThis" || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return;
    for (const name of namesOf(type)) members.add(`${path}.${name}`);
    const instance = instanceOf(type);
    for (const name of instance === undefined ? [] : namesOf(instance)) {
      members.add(`${path}.prototype.${name}`);
    }
  }

  /** Some constructors of `Intl` have no declared prototype. */
  function instanceOf(type: ts.Type): ts.Type | undefined {
    // Not getPropertyOfType, which finds that of Function.
    const prototype = checker.getPropertiesOfType(type).find(({ name }) => name === "prototype");
    if (prototype !== undefined) return checker.getTypeOfSymbol(prototype);
    return checker.getSignaturesOfType(type, ts.SignatureKind.Construct)[0]?.getReturnType();
  }

  /** Without symbols, of which the compiler has names of its own. */
  function namesOf(type: ts.Type): string[] {
    const names = checker.getPropertiesOfType(type).map(({ name }) => name);
    return names.filter((name) => !name.startsWith("__@"));
  }
}
