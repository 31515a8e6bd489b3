/** What to run; the engine gets `args` exactly as they are. */
export interface EngineCommand {
  /** Absolute path. */
  executablePath: string;
  args: readonly string[];
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
}
