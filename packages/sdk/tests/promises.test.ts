import { createFakeEngine, createTurnSteps, step } from "@codex-js/testkit/fake-engine";
import { describe, expect, test } from "vitest";
import { Codex, type CodexError, type Input } from "../src/index.ts";
import { createSharedFixture } from "./app-server/shared/shared-fixture.ts";

// Sentences of README that no other test shows.

const transports = ["app-server", "exec"] as const;
const anywhere = { skipGitRepoCheck: true };

// Both the fake engine and the shared server are POSIX's.
describe.skipIf(process.platform === "win32")("README", () => {
  test.each(transports)(
    "five crashes in three minutes are the end, of an engine that stays up: %s",
    async (transport) => {
      const crash = [step.stderr("no luck\n"), step.exit(3)];
      await using engine = await createFakeEngine({
        exec: crash,
        appServer: [{ on: { event: "start" }, do: crash }],
      });
      await using codex = new Codex({ codexPathOverride: engine.executablePath, transport });
      const codes: string[] = [];
      for (let turn = 0; turn < 7; turn++) {
        const error = await codex
          .startThread(anywhere)
          .run("x")
          .catch((cause: CodexError) => cause);
        codes.push((error as CodexError).code);
      }
      const [exited, exhausted] = ["CODEX_JS_SDK_ENGINE_EXITED", "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED"];
      const [crashes, rest] = transport === "exec" ? [7, 0] : [5, 2];
      expect(codes).toEqual([...Array(crashes).fill(exited), ...Array(rest).fill(exhausted)]);
      expect(await engine.calls()).toHaveLength(crashes);
    },
  );

  const refused: [string, Input, RegExp][] = [
    ["blank input", " \n", /No prompt provided/],
    ["an image that is not there", [{ type: "local_image", path: "no-such.png" }], /no-such\.png/],
    ["an image with a comma in its path", [{ type: "local_image", path: "a,b.png" }], /a,b\.png/],
  ];
  test.each(transports.flatMap((transport) => refused.map((one) => [transport, ...one] as const)))(
    "over %s no engine is started for %s",
    async (transport, _what, input, message) => {
      await using engine = await createFakeEngine({ exec: createTurnSteps("done") });
      await using codex = new Codex({ codexPathOverride: engine.executablePath, transport });
      await expect(codex.startThread(anywhere).run(input)).rejects.toThrow(message);
      const signal = AbortSignal.abort();
      await expect(codex.startThread(anywhere).run("x", { signal })).rejects.toMatchObject({
        code: "ABORT_ERR",
      });
      expect(await engine.calls()).toEqual([]);
    },
  );

  test("options of a thread that others have loaded on the shared server do not change it", async () => {
    await using shared = await createSharedFixture();
    const { file, env } = shared.base.command();
    const { stateDir } = shared.options;
    const options = { codexPathOverride: file, env: env as Record<string, string>, stateDir };
    const thread = { workingDirectory: shared.base.workDir, ...anywhere };
    const readEffort = () =>
      (shared.base.model.requests.at(-1)!.body as { reasoning?: { effort?: string } }).reasoning?.effort;
    const first = Codex.shared(options);
    const started = first.startThread({ ...thread, modelReasoningEffort: "low" });
    await started.run("one");
    await using second = Codex.shared(options);
    const joined = second.resumeThread(started.id!, { ...thread, modelReasoningEffort: "high" });
    expect((await joined.run("two")).finalResponse).toBe("echo: two");
    expect(readEffort()).toBe("low");
    await first.close();
  });
});
