import type { Drive, Driver } from "./drive.ts";

/** What the two SDKs have in common. */
export interface SdkModule {
  Codex: new (options: {
    codexPathOverride: string;
    transport?: "exec" | "app-server";
  }) => {
    startThread(options: object): { run(input: string): Promise<{ finalResponse: string }> };
    /** Ours alone. */
    close?(): Promise<void>;
  };
}

/** Turns through an SDK, as a program has them: one thread, `run()` after `run()`. */
export function createSdkDriver({ Codex }: SdkModule, { way, binary, workDir }: Drive): Driver {
  const transport = way === "official" ? {} : { transport: way as "exec" | "app-server" };
  const codex = new Codex({ codexPathOverride: binary, ...transport });
  const thread = codex.startThread({
    workingDirectory: workDir,
    skipGitRepoCheck: true,
    sandboxMode: "read-only",
    approvalPolicy: "never",
  });
  return {
    runTurn: async (prompt) => {
      const { finalResponse } = await thread.run(prompt);
      if (finalResponse !== `mock: ${prompt}`) throw new Error(`the answer is ${finalResponse}`);
    },
    // The official SDK's run() has waited for its engine's exit.
    close: async () => codex.close?.(),
  };
}
