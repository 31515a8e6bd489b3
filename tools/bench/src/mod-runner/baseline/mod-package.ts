import { stripTypeScriptTypes } from "node:module";
import type { ModIdentity } from "../protocol.ts";
import { ModError } from "./mod-error.ts";

/** One file of the mod, and what was made of it once for all contexts. */
export interface ModFile {
  path: string;
  source: string;
  /** The source without types. */
  code?: string;
  /** V8's code cache: a further context need not compile the module again. */
  cachedData?: Buffer;
  /** The cache came from the host, which need not be told of it. */
  isKnown?: boolean;
}

export interface ModPackage {
  mod: ModIdentity;
  files: Map<string, ModFile>;
}

/** @throws ModError mod_syntax_error with Node's own code */
export function readCode(file: ModFile): string {
  file.code ??= isTypeScript(file.path) ? erase(file) : file.source;
  return file.code;
}

function isTypeScript(path: string): boolean {
  return path.endsWith(".ts") || path.endsWith(".mts");
}

function erase({ source, path }: ModFile): string {
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ModError("mod_syntax_error", `${path}: ${message}`, {
      name: "SyntaxError",
      ...(code === undefined ? {} : { syntaxCode: code }),
    });
  }
}
