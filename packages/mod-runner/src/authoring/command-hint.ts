import type { ModError } from "../index.ts";
import { adviseFailure } from "./advise-failure.ts";

/**
 * What mends an error where a command line is what the author has in hand, and no program of a host's.
 * @param folder - the mod's
 */
export function findCommandHint(error: ModError, folder: string): string | undefined {
  if (error.code === "mod_timeout") return "raise it with --budget MS, or do less in one callback";
  return findReplyHint(error) ?? adviseFailure(error, folder) ?? error.hint;
}

/** The author plays the host, and has not answered. */
function findReplyHint({ code, message, stats }: ModError): string | undefined {
  const isOurs = code === "host_operation_denied" && message.includes("does not grant");
  const denied = isOurs ? stats?.denied.at(-1) : undefined;
  return denied === undefined ? undefined : `answer it: --reply '${denied}=JSON'`;
}
