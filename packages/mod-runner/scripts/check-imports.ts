import { isBuiltin } from "node:module";

/**
 * Problems with what a rolled file refers to: the package has no dependency that its types or its code
 * could be taken from, so Node's builtins and the file beside it are all there is.
 */
export function checkImports(name: string, code: string): string[] {
  const specifiers = [...code.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3]!);
  return [...new Set(specifiers)]
    .filter((specifier) => !isBuiltin(specifier) && specifier !== "./index.js")
    .map((specifier) => `dist/${name} still imports "${specifier}", which no user has`);
}

/** `from "x"` of imports and exports, `import "x"`, `import("x")` and `require("x")`, triple-slash types. */
const importPattern =
  /^(?:(?:import|export|\})[^"'\n]*?\bfrom\s*|import\s*)["']([^"'\n]+)["']|\b(?:import|require)\s*\(\s*["']([^"']+)["']\s*\)|^\/\/\/\s*<reference[^>]*?(?:types|path)=["']([^"']+)["']/gm;
