/**
 * What the runner takes: types that can be erased, relative imports with their extension, no DOM, no Node. What
 * the realm has of the language beyond `lib` comes with its types.
 */
export const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2025",
  lib: ["es2025"],
  module: "esnext",
  moduleResolution: "bundler",
  moduleDetection: "force",
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  resolveJsonModule: true,
};

/** The globals of a realm, where a mod's own tsconfig.json names them. */
export const realmTypesName = "@codex-js/mod-runner/realm";
