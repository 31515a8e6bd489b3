import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import type { Problem } from "@codex-js/pack";
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
  ExtractorMessageCategory,
} from "@microsoft/api-extractor";
import type { TypeEntry } from "./types.ts";

export interface ExtractedReport {
  /** Line feeds only; undefined where the problems left none. */
  text: string | undefined;
  problems: Problem[];
}

const silent = { logLevel: ExtractorLogLevel.None, addToApiReportFile: false };
const loud = { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: false };

/**
 * What counts. Release tags (`@public`, `@beta`) are not used here, doc comments that come from the
 * engine are not written as TSDoc, and links to globals such as AbortSignal cannot be resolved. Where the
 * comment about the whole package lands in the bundled declarations is the bundler's doing.
 */
const messages = {
  compilerMessageReporting: { default: loud },
  extractorMessageReporting: {
    default: loud,
    "ae-missing-release-tag": silent,
    "ae-internal-missing-underscore": silent,
    "ae-misplaced-package-tag": silent,
    "ae-undocumented": silent,
    "ae-unresolved-link": silent,
  },
  tsdocMessageReporting: { default: silent },
};

/**
 * Extracts the API of one built entry point with api-extractor; the package's folder is only read.
 * @throws ToolError CODEX_JS_API_NOT_BUILT (usage)
 */
export async function extractReport(entry: TypeEntry): Promise<ExtractedReport> {
  if (!existsSync(entry.typesFile)) {
    throw new ToolError({
      code: "CODEX_JS_API_NOT_BUILT",
      message: `${entry.package} has no ${entry.typesFile}`,
      hint: "run pnpm build",
      exitCode: exitCodes.usage,
    });
  }
  return withTempDir("codex-js-api", async (temp) => {
    const problems = invokeExtractor(entry, temp);
    const file = join(temp, basename(entry.reportFile));
    const text = existsSync(file) ? await readFile(file, "utf8") : undefined;
    return { text: text?.replaceAll("\r\n", "\n"), problems };
  });
}

/**
 * The engine's protocol as the SDK has it. Users name its members through `MethodParams<"thread/start">` and
 * the like; exporting the unions would mean to export every one of their some 700 types.
 */
const protocolUnions =
  /^The symbol "(?:ClientRequest|ClientResponses|ServerNotification|ServerRequest|ServerRequestResponses)" needs/;

/** Writes the report into `temp`; everything that api-extractor would print comes back instead. */
function invokeExtractor(entry: TypeEntry, temp: string): Problem[] {
  const problems: Problem[] = [];
  const messageCallback = (message: ExtractorMessage) => {
    const counts =
      message.category !== ExtractorMessageCategory.Console &&
      isLoud(message.logLevel) &&
      !protocolUnions.test(message.text);
    // What is marked as handled is not printed.
    message.handled = true;
    if (counts) problems.push(describeMessage(entry, message));
  };
  try {
    // A local build writes the report instead of comparing it: comparing is done here, in our own words.
    Extractor.invoke(createConfig(entry, temp), { localBuild: true, messageCallback });
  } catch (error) {
    // It throws at declarations that it has no model for, such as a file that is no module.
    const reason = error instanceof Error ? error.message.trim() : String(error);
    const message = `${toPackagePath(entry, entry.typesFile)} cannot be read by api-extractor: ${reason}`;
    const hint =
      "see that it is a module of declarations as the compiler writes them: with an import or an export";
    problems.push({ code: "CODEX_JS_API_INVALID", package: entry.package, message, hint });
  }
  return problems;
}

function createConfig(entry: TypeEntry, temp: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(entry.packageDir, "package.json"),
    configObject: {
      projectFolder: entry.packageDir,
      mainEntryPointFilePath: entry.typesFile,
      newlineKind: "lf",
      compiler: { overrideTsconfig: createTsconfig(entry) },
      apiReport: {
        enabled: true,
        reportFileName: basename(entry.reportFile),
        reportFolder: temp,
        reportTempFolder: join(temp, "unused"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages,
    },
  });
}

/** As a strict user's compiler sees the declarations: they are checked too, not skipped. */
function createTsconfig(entry: TypeEntry): object {
  return {
    compilerOptions: {
      target: "es2023",
      lib: ["es2023", "esnext.disposable"],
      module: "nodenext",
      moduleResolution: "nodenext",
      strict: true,
      skipLibCheck: false,
      skipDefaultLibCheck: true,
      types: hasNodeTypes(entry.packageDir) ? ["node"] : [],
    },
    files: [entry.typesFile],
  };
}

/** Where they are installed, declarations may import Node's builtins. */
function hasNodeTypes(packageDir: string): boolean {
  try {
    createRequire(join(packageDir, "package.json")).resolve("@types/node/package.json");
    return true;
  } catch {
    return false;
  }
}

function isLoud(level: ExtractorLogLevel): boolean {
  return level === ExtractorLogLevel.Warning || level === ExtractorLogLevel.Error;
}

function describeMessage(entry: TypeEntry, message: ExtractorMessage): Problem {
  const file = toPackagePath(entry, message.sourceFilePath ?? entry.typesFile);
  const line = message.sourceFileLine === undefined ? "" : `:${message.sourceFileLine}`;
  return {
    code:
      message.messageId === "ae-forgotten-export" ? "CODEX_JS_API_FORGOTTEN_EXPORT" : "CODEX_JS_API_INVALID",
    package: entry.package,
    message: `${file}${line}: ${message.text} (${message.messageId})`,
    hint: hints[message.messageId] ?? describeFallbackHint(message),
  };
}

function toPackagePath(entry: TypeEntry, file: string): string {
  return relative(entry.packageDir, file).replaceAll("\\", "/");
}

const hints: Record<string, string | undefined> = {
  "ae-forgotten-export": "export it from the entry point: users cannot name what a signature shows them",
  TS2307: "roll that module's types into the declarations, or declare the dependency",
};

/** Every problem has something to do about it; what these are about, the messages say themselves. */
function describeFallbackHint({ category, messageId }: ExtractorMessage): string {
  return category === ExtractorMessageCategory.Compiler
    ? "mend the type in the source that this declaration is built from"
    : `mend it in the source, as https://api-extractor.com/pages/messages/${messageId}/ says`;
}
