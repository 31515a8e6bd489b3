import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reply, startMockModel } from "@codex-js/testkit/mock-model";
import { expect, test } from "vitest";
import { Codex } from "../../src/index.ts";
import { createClientFixture } from "../client/client-fixture.ts";

const posix = { skip: process.platform === "win32" };

/** The real engine behind a script that prints a line into its stdout, once, when `go` is there. */
async function writeNoisyEngine(dir: string, engine: string, go: string): Promise<string> {
  const file = join(dir, "noisy-codex");
  const script = `#!/bin/sh
if mkdir '${dir}/noisy' 2>/dev/null; then
  say() { echo 'loaded my preload'; }
  if [ -e '${go}' ]; then say; else ( while [ ! -e '${go}' ]; do sleep 0.02; done; say ) & fi
fi
exec '${engine}' "$@"`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  return file;
}

// openai/codex#40612: what is preloaded into the engine prints into the protocol's stream.
test(
  "noise on stdout in mid-turn fails that turn and says what came; the next one goes on",
  posix,
  async () => {
    await using fixture = await createClientFixture();
    const go = join(fixture.workDir, "go");
    await using model = await startMockModel({
      respond: async ({ userTexts }) => {
        if (userTexts.at(-1) !== "noisy") return reply.message(`mock: ${userTexts.at(-1)}`);
        await writeFile(go, "");
        return reply.hang();
      },
    });
    const { codexPathOverride, env } = fixture.options;
    await using codex = new Codex({
      codexPathOverride: await writeNoisyEngine(fixture.workDir, codexPathOverride, go),
      env,
      config: { model_providers: { mock: { base_url: model.baseUrl } } },
    });
    const thread = codex.startThread({ workingDirectory: fixture.workDir, skipGitRepoCheck: true });
    expect((await thread.run("one")).finalResponse).toBe("mock: one");
    await expect(thread.run("noisy")).rejects.toMatchObject({
      code: "CODEX_JS_SDK_PROTOCOL_VIOLATED",
      message: "the engine sent something that is not JSON: loaded my preload",
    });
    expect((await thread.run("three")).finalResponse).toBe("mock: three");
  },
);

test(
  "noise before the first word is an engine that does not get ready; the next turn starts another",
  posix,
  async () => {
    await using fixture = await createClientFixture();
    const { codexPathOverride, env } = fixture.options;
    const noisy = await writeNoisyEngine(fixture.workDir, codexPathOverride, fixture.workDir);
    await using codex = new Codex({ codexPathOverride: noisy, env });
    const thread = codex.startThread({ workingDirectory: fixture.workDir, skipGitRepoCheck: true });
    await expect(thread.run("one")).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
      message: "the engine did not get ready: the engine sent something that is not JSON: loaded my preload",
    });
    expect((await thread.run("two")).finalResponse).toBe("echo: two");
  },
);
