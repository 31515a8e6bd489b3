import type { ErrorFields, StackFrame } from "../protocol.ts";
import { ModError } from "./mod-error.ts";
import type { ModFile } from "./mod-package.ts";

type Files = ReadonlyMap<string, ModFile>;

/** An `error` line's fields for whatever a mod, or the compiler, has thrown. */
export function describeThrown(thrown: unknown, where: "mod" | "result" | "link", files: Files): ErrorFields {
  if (thrown instanceof ModError) return thrown.fields;
  const { name, message, stack } = readError(thrown);
  if (where === "result") return { code: "mod_invalid_result", message };
  if (where === "link" && name === "SyntaxError") {
    const location = parseSyntaxLocation(stack, files);
    return { code: "mod_syntax_error", message, name, ...(location === undefined ? {} : { location }) };
  }
  const frames = parseFrames(stack, files);
  const { module, line, column } = frames[0] ?? {};
  const location = module === undefined ? {} : { location: { module, line: line!, column: column! } };
  return { code: "mod_error", message, name, ...location, stack: frames };
}

function readError(thrown: unknown): { name: string; message: string; stack: string } {
  if (typeof thrown !== "object" || thrown === null)
    return { name: "Error", message: String(thrown), stack: "" };
  const { name, message, stack } = thrown as Error;
  return { name: String(name), message: String(message), stack: typeof stack === "string" ? stack : "" };
}

function parseFrames(stack: string, files: Files): StackFrame[] {
  return stack.split("\n").flatMap((text): StackFrame[] => {
    const match = /^ {4}at (?:(.+) \()?([^()]+):(\d+):(\d+)\)?$/.exec(text);
    if (match === null || !files.has(match[2]!)) return [];
    const place = { module: match[2]!, line: Number(match[3]), column: Number(match[4]) };
    return [match[1] === undefined ? place : { function: match[1], ...place }];
  });
}

/** V8 puts `path:line`, the line and a mark below the place before the message. */
function parseSyntaxLocation(stack: string, files: Files) {
  const match = /^(.+):(\d+)\n.*\n( *)\^/.exec(stack);
  if (match === null || !files.has(match[1]!)) return undefined;
  return { module: match[1]!, line: Number(match[2]), column: match[3]!.length + 1 };
}
