import { createLateReads, type LateReads } from "./late-reads.ts";
import {
  type Fault,
  type FaultKind,
  type FaultRule,
  isRead,
  parseFaultRules,
  readFaultKind,
} from "./schema.ts";

/** A rule's strike on one request. */
export interface Strike {
  kind: FaultKind;
  fault: Fault;
  /** There for the faults that answer what was there before. */
  lateReads: LateReads | undefined;
}

export interface FaultPlan {
  /** The first rule that matches and has not run out decides; each match is counted. */
  take(method: string, url: string): Strike | undefined;
}

/** @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage) */
export function createFaultPlan(input: readonly FaultRule[]): FaultPlan {
  const rules = parseFaultRules(input).map((rule) => ({
    ...rule,
    matches: createMatcher(rule.match),
    lateReads: createLateReads(rule.fault),
    seen: 0,
  }));
  return {
    take(method, url) {
      if (!isRead(method)) for (const { lateReads } of rules) lateReads?.noteWrite();
      for (const rule of rules) {
        if (!rule.matches(method, url) || (rule.lateReads !== undefined && !isRead(method))) continue;
        rule.seen += 1;
        if (strikes(rule.match, rule.seen)) {
          return { kind: readFaultKind(rule.fault), fault: rule.fault, lateReads: rule.lateReads };
        }
      }
      return undefined;
    },
  };
}

function strikes({ nth, times }: FaultRule["match"], seen: number): boolean {
  const first = nth ?? 1;
  const many = times ?? (nth === undefined ? Number.POSITIVE_INFINITY : 1);
  return seen >= first && seen < first + many;
}

function createMatcher({
  method,
  path,
  route,
}: FaultRule["match"]): (method: string, url: string) => boolean {
  const wanted = method?.toUpperCase();
  const pathPattern = path === undefined ? undefined : new RegExp(path);
  const routePattern = route === undefined ? undefined : createRoutePattern(route);
  return (actual, url) =>
    (wanted === undefined || wanted === actual) &&
    (pathPattern?.test(decodePath(url)) ?? true) &&
    (routePattern?.test(url.split("?")[0]!) ?? true);
}

/** `{…}` is one segment as it is sent: `@scope%2fname` is one. */
function createRoutePattern(route: string): RegExp {
  const parts = route.split(/\{[^}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

/** A path that is no valid encoding is taken as it came. */
export function decodePath(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
