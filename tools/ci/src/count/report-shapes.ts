import { z } from "zod";

/** What is read of a vitest JSON report; the rest of it is nobody's business here. */
const count = z.int().nonnegative();
export const vitestReport = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  success: z.boolean(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});
export type VitestReport = z.infer<typeof vitestReport>;

const checked = z.object({ status: z.enum(["passed", "failed", "skipped"]) });

/** What is read of the output of `pnpm release --json`. */
export const releaseReport = z.object({
  ok: z.boolean(),
  gates: z.array(checked),
  /** Platform packages that only other machines can build. */
  leftOut: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
  smokes: z.array(z.object({ runtime: z.string(), checks: z.array(checked) })),
});
export type ReleaseReport = z.infer<typeof releaseReport>;

/** A report, or why it is none, in a few words. */
export type ParsedReport<Report> = { report: Report } | { fault: string };

export function parseReport<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): ParsedReport<z.infer<Schema>> {
  const { value, isJson } = parseJson(text);
  if (!isJson) return { fault: "the report is no JSON" };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { report: parsed.data };
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const place = path.length === 0 ? "" : `${z.core.toDotPath(path)}: `;
  return { fault: `the report is broken: ${place}${message}` };
}

function parseJson(text: string): { value?: unknown; isJson: boolean } {
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { isJson: false };
  }
}
