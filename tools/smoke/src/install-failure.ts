import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { describeFullDisk, saysDiskFull } from "./disk-space.ts";

export interface InstallPlace {
  registryUrl: string;
  /** The folders that an install writes to; absolute. */
  dirs: readonly string[];
}

/** A registry that does not answer, or not with what it was asked for; a package that it has not is none of these. */
const npmCodes =
  /^npm (?:error|ERR!) code (E5\d\d|E40[137]|E429|ECONN\w+|ETIMEDOUT|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|EPIPE|EPROTO|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E\w+TIMEOUT|\w*CERT\w*)$/m;
const bunFailures =
  /\bGET \S+ - (?:5\d\d|40[137]|429)\b|\b(?:ConnectionRefused|ConnectionClosed|ConnectionReset|FailedToOpenSocket|Timeout)\b/;

/** What an install failed of, where that was outside: a full disk or the registry. Any other error stays what it is. */
export async function explainInstallFailure(error: unknown, place: InstallPlace): Promise<unknown> {
  if (!(error instanceof ToolError) || error.code !== "CODEX_JS_PROCESS_FAILED") return error;
  if (saysDiskFull(error.message)) return describeFullDisk(place.dirs, error);
  if (!npmCodes.test(error.message) && !bunFailures.test(error.message)) return error;
  return new ToolError({
    code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
    message: `${place.registryUrl} did not deliver what was to be installed\n${readSaid(error.message)}`,
    hint: "see that the registry can be reached, then run the same command again",
    exitCode: exitCodes.external,
  });
}

/** What the package manager said, without its command line and npm's note about its log. */
export function readSaid(message: string): string {
  return message
    .split("\n")
    .slice(1)
    .filter((line) => line.trim() !== "" && !/complete log of this run/.test(line))
    .join("\n");
}
