import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Upload } from "./target.ts";

/** npm's codes after which the same request may well succeed. */
const passing =
  /^(E5\d\d|E429|E408|E409|ECONNRESET|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EPIPE|ERR_SOCKET_TIMEOUT|FETCH_ERROR|EIDLETIMEOUT|ERESPONSETIMEOUT|ECONNECTIONTIMEOUT)$/;

/** A publish that npm reported as failed. The registry may have taken it all the same: ask it. */
export class PublishError extends ToolError {
  /** npm's code, such as `E403`; empty when it gave none. */
  readonly npmCode: string;
  /** Trying again may help. */
  readonly passing: boolean;

  constructor(upload: Upload, cause: ToolError) {
    const npmCode = readNpmCode(cause.message);
    super({
      code: "CODEX_JS_RELEASE_PUBLISH_FAILED",
      message: `npm could not publish ${upload.name}@${upload.version}${npmCode === "" ? "" : ` (${npmCode})`}\n${readNpmLines(cause.message)}`,
      hint: "nothing is lost: the same command goes on where this one stopped",
      exitCode: exitCodes.external,
    });
    this.npmCode = npmCode;
    this.passing = passing.test(npmCode);
  }
}

/** From npm's `npm error code E500`. */
export function readNpmCode(output: string): string {
  return /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? "";
}

/** What npm said, without the command line before it and its note about the log file. */
function readNpmLines(output: string): string {
  const lines = output.split("\n").filter((line) => /^npm (error|ERR!)/.test(line));
  const said = lines.filter((line) => !/complete log of this run|^npm (error|ERR!) code /.test(line));
  return said.length === 0 ? output : said.join("\n");
}
