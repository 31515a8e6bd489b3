import { isUtf8 } from "node:buffer";
import { limits } from "../../generated/limits.ts";
import type { RunnerMessage } from "../../generated/messages.ts";
import { runnerSchemas } from "../../generated/schemas.ts";
import { checkSchema } from "../schema/check-schema.ts";
import { findJsonFault } from "./json-faults.ts";

/** A runner said what no healthy runner says. It is ended, and believed nothing more. */
export class RunnerFault extends Error {}

const runnerMessage = { $ref: "RunnerMessage" };

/**
 * A line of a runner, held against the protocol's schema and limits.
 * @throws RunnerFault
 */
export function parseLine(line: Uint8Array): RunnerMessage {
  const message = parseJson(line);
  const [problem] = checkSchema(runnerMessage, message, runnerSchemas);
  if (problem !== undefined) throw new RunnerFault(`a line of a wrong shape: ${problem}`);
  const fault = findLimitFault(message as RunnerMessage, line.length);
  if (fault !== undefined) throw new RunnerFault(fault);
  return message as RunnerMessage;
}

function parseJson(line: Uint8Array): unknown {
  if (!isUtf8(line)) throw new RunnerFault("a line that is not UTF-8");
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RunnerFault(`a line that is no JSON: ${JSON.stringify(text.slice(0, 80))}`, { cause });
  }
}

function findLimitFault(message: RunnerMessage, bytes: number): string | undefined {
  switch (message.type) {
    case "result":
      return findValueFault("a result", message.value, bytes, limits.resultBytes, limits.resultDepth);
    case "hostRequest":
      return findValueFault(
        "a host request",
        message.input,
        bytes,
        limits.hostRequestBytes,
        limits.inputDepth,
      );
    case "log": {
      const size = Buffer.byteLength(message.text);
      return size > limits.logTextBytes ? `a log text of ${size} bytes` : undefined;
    }
    default:
      return undefined;
  }
}

/** The rest of the line is small: a line far above the limit holds a value above it. */
const envelopeBytes = 4096;

function findValueFault(
  what: string,
  value: unknown,
  lineBytes: number,
  limitBytes: number,
  depth: number,
): string | undefined {
  if (lineBytes > limitBytes + envelopeBytes) return `${what} of ${lineBytes} bytes`;
  const fault = findJsonFault(value, depth);
  return fault === undefined ? undefined : `${what} with ${fault}`;
}
