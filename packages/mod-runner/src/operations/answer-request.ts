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
    const error = createHostError("host_operation_denied", describeDenial({ operation, reason }));
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
  try {
    const run = Object.hasOwn(rules.operations, operation) ? rules.operations[operation]! : sleep;
    const value = await run(input, context);
    return { json: formatJson(value, limits.hostReplyBytes, limits.inputDepth) };
  } catch (error) {
    const { mod, hook } = context;
    rules.onEvent({ type: "operation-failed", mod, hook, operation, error });
    return { error: describeFailure(operation, error) };
  }
}

const failed = "host_operation_failed";
/** As messages.schema.json has it for a HostError; the runner counts bytes. */
const codeBytes = 128;

function describeFailure(operation: string, error: unknown): HostError {
  try {
    // Whatever a program without types has put there, which may throw when it is made a text.
    if (error instanceof HostOperationError)
      return createHostError(String(error.code), String(error.message));
  } catch {
    // What cannot be told is kept from the mod, as any other error is.
  }
  return createHostError(failed, `${operation} failed`);
}

/** As the runner takes it: Unicode, within its limits. */
function createHostError(code: string, message: string): HostError {
  return {
    code: cut(code, codeBytes) || failed,
    message: cut(message, limits.errorMessageBytes),
  };
}

/** Its beginning, of whole characters; half of one becomes U+FFFD. */
function cut(text: string, limitBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text.slice(0, limitBytes), new Uint8Array(limitBytes));
  return text.slice(0, read).toWellFormed();
}
