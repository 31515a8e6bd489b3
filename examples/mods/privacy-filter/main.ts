import type { Hook } from "@codex-js/mod-runner/mod";
import { findPrivate } from "./patterns.ts";
import { createPseudonyms } from "./pseudonyms.ts";

export interface Input {
  text: string;
}

export interface Output {
  text: string;
  /** How many there were of each kind. */
  replaced: Record<string, number>;
}

const outgoing: Hook<Input, Output> = async ({ text }, host) => {
  const found = findPrivate(text);
  if (found.length === 0) return { text, replaced: {} };
  const name = await createPseudonyms(await host.call<string>("secrets.pseudonymKey"));
  const replaced: Record<string, number> = {};
  let filtered = "";
  let end = 0;
  for (const { kind, value, at } of found) {
    filtered += text.slice(end, at) + (await name(kind, value));
    end = at + value.length;
    replaced[kind] = (replaced[kind] ?? 0) + 1;
  }
  return { text: filtered + text.slice(end), replaced };
};

export default outgoing;
