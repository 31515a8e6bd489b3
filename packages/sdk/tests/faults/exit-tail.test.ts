import { startOtlpCollector } from "@codex-js/testkit/otlp-collector";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { expect, test } from "vitest";
import { Codex } from "../../src/index.ts";
import { createFixture } from "../app-server/engine-fixture.ts";

// openai/codex#40402, #7622, JKHeadley/instar#1416: at its exit the engine waits for its telemetry to be taken.
test.each(["app-server", "exec"] as const)(
  "a collector that never answers holds up no turn, and close() is bounded: %s",
  async (transport) => {
    await using collector = await startOtlpCollector({ delayMs: 3_600_000 });
    await using fixture = await createFixture(
      `[otel]\nmetrics_exporter = ${collector.exporterToml("metrics")}`,
    );
    const { file, env } = fixture.command();
    const codex = new Codex({ codexPathOverride: file, env: env as Record<string, string>, transport });
    const options = {
      workingDirectory: fixture.workDir,
      skipGitRepoCheck: true,
      sandboxMode: "danger-full-access",
    };
    const thread = codex.startThread(options as never);
    const { items } = await thread.run("run echo $PPID");
    const [command] = items.filter((item) => item.type === "command_execution");
    const pid = Number(command!.aggregated_output);
    expect((await codex.startThread(options as never).run("two")).finalResponse).toBe("echo: two");
    await codex.close();
    await waitUntilGone(pid);
  },
);
