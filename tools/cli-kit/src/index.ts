export { Command } from "commander";
export { pickMachineEnv, pickUserEnv, withDirectLoopback, withoutScriptPath } from "./child-env.ts";
export { type CliContext, createProcessContext, type Writer } from "./context.ts";
export {
  type ErrorDocument,
  type ExitCode,
  exitCodes,
  formatError,
  ToolError,
  type ToolErrorOptions,
  toErrorDocument,
} from "./errors.ts";
export { formatBytes, formatDuration, formatTable } from "./format.ts";
export { makeDir } from "./make-dir.ts";
export { type ChildResult, type RunOptions, runNode, runProcess } from "./process.ts";
export { isProcessAlive } from "./process-state.ts";
export { createProgress, type Progress, type ProgressStep } from "./progress.ts";
export { redact, registerSecret } from "./redact.ts";
export { type CliDefinition, runCli, runWithContext } from "./run-cli.ts";
export { createTempDir, type TempDir, withTempDir } from "./temp-dir.ts";
export { resolveUserPath } from "./user-path.ts";
export { findWorkspaceRoot } from "./workspace.ts";
