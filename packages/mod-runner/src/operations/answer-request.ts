import { limits } from "../../generated/limits.ts";
import type { HostError, HostRequestMessage } from "../../generated/messages.ts";
import type { ModHostEvent, OperationDenied } from "../events.ts";
import { formatJson } from "../json-text.ts";
import type { ModPackage } from "../package/mod-package.ts";
import { describeDenial } from "./denial.ts";
import { HostOperationError, type HostOperations, type OperationContext } from "./host-operation.ts";
import { sleep, sleepOperation } from "./sleep.ts";

/** What decides about a mod's requests. */
export interface RequestRules {
  operations: HostOperations;
  asks: ModPackage["asks"];
  granted: ReadonlySet<string>;
  onEvent: (event: ModHostEvent) => void;
}

/** The value as JSON, or why there is none. */
export type Reply = { json: string } | { error: HostError; denied?: OperationDenied["reason"] };

/** Does what the mod asks for, if it may. Always comes to a reply. */
export async function answerRequest(
  request: HostRequestMessage,
  rules: RequestRules,
  context: OperationContext,
): Promise<Reply> {
  const { operation } = request;
  const reason = findDenial(operation, rules);
  if (reason !== undefined) {
    const { mod, hook } = context;
    rules.onEvent({ type: "operation-denied", mod, hook, operation, reason });
    const error = { code: "host_operation_denied", message: describeDenial({ operation, reason }) };
    return { error, denied: reason };
  }
  return perform(request, rules, context);
}

/** Denied by default: an operation has to be asked for, granted, and there. */
function findDenial(operation: string, rules: RequestRules): OperationDenied["reason"] | undefined {
  if (operation === sleepOperation) return undefined;
  if (!rules.asks.has(operation)) return "not-asked";
  if (!rules.granted.has(operation)) return "not-granted";
  return Object.hasOwn(rules.operations, operation) ? undefined : "unknown";
}

async function perform(
  request: HostRequestMessage,
  rules: RequestRules,
  context: OperationContext,
): Promise<Reply> {
  const { operation, input } = request;
  const run = Object.hasOwn(rules.operations, operation) ? rules.operations[operation]! : sleep;
  try {
    const value = await run(input, context);
    return { json: formatJson(value, limits.hostReplyBytes, limits.inputDepth) };
  } catch (error) {
    const { mod, hook } = context;
    rules.onEvent({ type: "operation-failed", mod, hook, operation, error });
    return { error: describeFailure(operation, error) };
  }
}

function describeFailure(operation: string, error: unknown): { code: string; message: string } {
  if (error instanceof HostOperationError) {
    // Whatever a program without types has put there.
    const [code, message] = [String(error.code), String(error.message)];
    return { code: code.slice(0, 128) || "host_operation_failed", message: cut(message) };
  }
  return { code: "host_operation_failed", message: `${operation} failed` };
}

function cut(text: string): string {
  // 4 bytes are the most that a character takes.
  return text.slice(0, limits.errorMessageBytes / 4);
}
