import type { PlainAnswer, PlainRequest } from "./exchange.ts";
import { hideItems, listItems, readDistTags } from "./listed-items.ts";
import { type Fault, isRead } from "./schema.ts";

/** Answers that are behind what the server has. */
export interface LateReads {
  /** Called for every write that reaches the server, whether a rule is for it or not. */
  noteWrite(): void;
  /** What the client is shown instead of the server's `answer`. */
  delay(request: PlainRequest, answer: PlainAnswer): PlainAnswer;
}

export function createLateReads(fault: Fault): LateReads | undefined {
  if ("invisibleForPolls" in fault) return createInvisibility(fault.invisibleForPolls);
  if ("staleReads" in fault) return createStaleness(fault.staleReads);
  return undefined;
}

function createInvisibility(polls: number): LateReads {
  const known = new Set<string>();
  const readsOf = new Map<string, number>();
  const tagsOf = new Map<string, Record<string, string>>();
  let isWritten = false;
  const isHidden = (item: string) => {
    if (known.has(item)) return false;
    if (!isWritten) {
      known.add(item);
      return false;
    }
    const reads = (readsOf.get(item) ?? 0) + 1;
    readsOf.set(item, reads);
    if (reads > polls) known.add(item);
    return reads <= polls;
  };
  return {
    noteWrite: () => {
      isWritten = true;
    },
    delay: (request, answer) => {
      if (answer.status >= 300 || !isRead(request.method)) return answer;
      const path = request.url.split("?")[0]!;
      const items = listItems(answer);
      if (items === undefined) return isHidden(path) ? notThere() : answer;
      const hidden = new Set(items.filter((item) => isHidden(`${path} ${item}`)));
      const shown = hidden.size === 0 ? answer : hideItems(answer, hidden, tagsOf.get(path) ?? {});
      if (shown !== undefined) tagsOf.set(path, readDistTags(shown));
      return shown ?? notThere();
    },
  };
}

function createStaleness(polls: number): LateReads {
  const shown = new Map<string, { answer: PlainAnswer; lateReads: number }>();
  return {
    noteWrite: () => {},
    delay: (request, answer) => {
      const key = `${request.method} ${request.url} ${request.headers.accept ?? ""}`;
      const last = shown.get(key);
      if (last !== undefined && !isSame(last.answer, answer) && last.lateReads < polls) {
        last.lateReads += 1;
        return last.answer;
      }
      shown.set(key, { answer, lateReads: 0 });
      return answer;
    },
  };
}

function isSame(one: PlainAnswer, other: PlainAnswer): boolean {
  return one.status === other.status && one.body.equals(other.body);
}

function notThere(): PlainAnswer {
  return {
    status: 404,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: Buffer.from(JSON.stringify({ message: "Not Found", error: "not found", status: "404" })),
  };
}
