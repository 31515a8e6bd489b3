import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DoctorError, exitCodes } from "./doctor-error.ts";
import { parseToml, type TomlTable } from "./toml-edit.ts";

/** A configuration file as it was when it was read. */
export interface ConfigFile {
  /** Absolute. */
  path: string;
  /** Undefined where there is no such file. */
  text: string | undefined;
  value: TomlTable;
}

/** The engine's folder: `CODEX_HOME`, or `.codex` in the user's home. */
export function findCodexHome(env: NodeJS.ProcessEnv, cwd: string): string {
  const home = env.CODEX_HOME;
  return home === undefined || home === "" ? join(env.HOME || homedir(), ".codex") : resolve(cwd, home);
}

/**
 * Reads `config.toml`, or a profile's file.
 * @throws DoctorError CODEX_JS_DOCTOR_CONFIG_BROKEN with the line, CODEX_JS_DOCTOR_CONFIG_UNREADABLE,
 * CODEX_JS_DOCTOR_PROFILE_MISSING
 */
export function readConfigFile(codexHome: string, profile?: string): ConfigFile {
  const path = join(codexHome, profile === undefined ? "config.toml" : `${profile}.config.toml`);
  const text = readText(path);
  if (text === undefined && profile !== undefined) {
    throw new DoctorError({
      code: "CODEX_JS_DOCTOR_PROFILE_MISSING",
      message: `there is no profile ${profile}: ${path} does not exist`,
      hint: "leave --profile out, or create that file",
      exitCode: exitCodes.usage,
    });
  }
  const parsed = parseToml(text ?? "");
  if ("value" in parsed) return { path, text, value: parsed.value };
  const { message, line, column } = parsed.error;
  throw new DoctorError({
    code: "CODEX_JS_DOCTOR_CONFIG_BROKEN",
    message: `${path}:${line}:${column}: ${message}`,
    hint: "mend that line; until then the engine ignores the whole file",
    exitCode: exitCodes.usage,
  });
}

/** Undefined where there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new DoctorError({
      code: "CODEX_JS_DOCTOR_CONFIG_UNREADABLE",
      message: `${path} cannot be read (${code})`,
      hint: "make it a file that you can read",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}
