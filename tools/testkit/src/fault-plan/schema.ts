import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { z } from "zod";

const count = z.int().min(1);
const status = z.int().min(200).max(599);
const json = z.unknown();

const match = z
  .strictObject({
    /** In any case; default: every method. */
    method: z.string().optional(),
    /** A regular expression, tested against the decoded path with its query, e.g. `/@scope/name`. */
    path: z.string().refine(isRegExp, "is no regular expression").optional(),
    /** A path in which `{…}` stands for one segment, such as `/repos/{owner}/{repo}/releases`; no query. */
    route: z.string().startsWith("/").optional(),
    /** The first request that is struck among those that match, from 1; default 1. */
    nth: count.optional(),
    /** How many are struck from there on; default 1 with `nth`, else all of them. */
    times: count.optional(),
  })
  .refine(({ path, route }) => path === undefined || route === undefined, "has path and route, choose one");

const faults = {
  /** Answers this; the server never hears of the request. */
  status: z.strictObject({
    status,
    body: json.optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Waits this many milliseconds before the server hears of it. */
  delayMs: z.strictObject({ delayMs: z.int().min(0) }),
  /**
   * Breaks the connection: before the server hears of the `request`; when the server has done it and was
   * about to `answer`; when so many bytes of the request's body have reached the server; when so many bytes
   * of the answer's body have reached the client.
   */
  cut: z.strictObject({
    cut: z.union([
      z.enum(["request", "answer"]),
      z.strictObject({ requestAfterBytes: z.int().min(0) }),
      z.strictObject({ answerAfterBytes: z.int().min(0) }),
    ]),
  }),
  /** The server does it; the client hears this status. */
  storedButError: z.strictObject({ storedButError: status, body: json.optional() }),
  /**
   * What a write has added is seen this many reads late: until then it is missing in lists and packuments,
   * and alone it is answered with 404. What was read before the first write is not hidden.
   */
  invisibleForPolls: z.strictObject({ invisibleForPolls: count }),
  /** An answer that has changed since the last read is seen this many reads late: until then the last one. */
  staleReads: z.strictObject({ staleReads: count }),
  /** One byte in the middle is another one: of what is read, or of what is uploaded, on its way. */
  wrongBytes: z.strictObject({ wrongBytes: z.literal(true) }),
};

export type FaultKind = keyof typeof faults;

const lateReads: readonly FaultKind[] = ["invisibleForPolls", "staleReads"];

const fault = z.union(
  [
    faults.status,
    faults.delayMs,
    faults.cut,
    faults.storedButError,
    faults.invisibleForPolls,
    faults.staleReads,
    faults.wrongBytes,
  ],
  { error: `is none of ${Object.keys(faults).join(", ")}, or has a value that it cannot have` },
);

export type Fault = z.input<typeof fault>;

const rule = z
  .strictObject({ match, fault })
  .refine(
    (value) => !isLateRead(value.fault) || (value.match.nth ?? value.match.times) === undefined,
    "counts reads itself: nth and times have no meaning beside it",
  )
  .refine(
    (value) => !isLateRead(value.fault) || isRead(value.match.method ?? "GET"),
    "is for reads: the method is GET or HEAD, or left out",
  );

/** Plain data, for a JSON file as well. */
export type FaultRule = z.input<typeof rule>;

/**
 * Of several rules that match a request, the first one that has not run out strikes.
 * @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage), with all that is wrong
 */
export function parseFaultRules(rules: unknown): FaultRule[] {
  const parsed = z.array(rule).safeParse(rules);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `\n  ${path.length === 0 ? "the plan" : path.join(".")}: ${message}`,
  );
  throw new ToolError({
    code: "CODEX_JS_TESTKIT_BAD_FAULT_PLAN",
    message: `the fault plan cannot be used:${problems.join("")}`,
    hint: "correct the rules; tools/testkit/src/fault-plan/schema.ts says what they may be",
    exitCode: exitCodes.usage,
  });
}

export function readFaultKind(fault: Fault): FaultKind {
  return (Object.keys(faults) as FaultKind[]).find((kind) => kind in fault)!;
}

function isLateRead(fault: Fault): boolean {
  return lateReads.includes(readFaultKind(fault));
}

export function isRead(method: string): boolean {
  return /^(get|head)$/i.test(method);
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
