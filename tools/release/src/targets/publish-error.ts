import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { Upload } from "./target.ts";

/**
 * A publish that npm reported as failed, before anybody has looked what kind of failure it is. The registry may
 * have taken the package all the same: ask it.
 */
export class PublishError extends ToolError {
  /** npm's code, such as `E403`; empty when it gave none. */
  readonly npmCode: string;
  /** npm's own lines. */
  readonly said: string;

  constructor(upload: Upload, cause: ToolError) {
    const npmCode = readNpmCode(cause.message);
    const said = readNpmLines(cause.message);
    super({
      code: "CODEX_JS_RELEASE_PUBLISH_FAILED",
      message: `npm could not publish ${upload.name}@${upload.version}${npmCode === "" ? "" : ` (${npmCode})`}\n${said}`,
      hint: "nothing is lost: the same command goes on where this one stopped",
      exitCode: exitCodes.external,
    });
    this.npmCode = npmCode;
    this.said = said;
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
