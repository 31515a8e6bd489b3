import { createFakeEngine } from "@codex-js/testkit/fake-engine";
import { describe, expect, test } from "vitest";
import { Codex, type ThreadOptions, type TurnOptions } from "../../src/index.ts";

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

interface Call {
  id?: string;
  thread?: object;
  turn?: object;
  input?: string | { type: "local_image"; path: string }[];
}

// The fake engine is a script, which Windows starts only through a shell.
describe.skipIf(process.platform === "win32")("no engine is started for what it would misread", () => {
  test.each<[string, Call]>([
    // Exec took it for a flag, and the turn ran without its sandbox.
    ["INPUT_INVALID", { id: "--dangerously-bypass-approvals-and-sandbox" }],
    ["INPUT_INVALID", { id: "" }],
    ["CONFIG_INVALID", { turn: { signal: {} } }],
    ["CONFIG_INVALID", { thread: { workingDirectory: "/\0" } }],
    ["OUTPUT_SCHEMA_INVALID", { turn: { outputSchema: cyclic } }],
    ["INPUT_INVALID", { input: [{ type: "local_image", path: import.meta.dirname }] }],
  ])("%s: %#", async (code, { id, thread = {}, turn = {}, input = "hello" }) => {
    for (const transport of ["exec", "app-server"] as const) {
      await using engine = await createFakeEngine({});
      await using codex = new Codex({ codexPathOverride: engine.executablePath, transport });
      const options = { skipGitRepoCheck: true, ...thread } as ThreadOptions;
      const target = id === undefined ? codex.startThread(options) : codex.resumeThread(id, options);
      await expect(target.run(input, turn as TurnOptions)).rejects.toMatchObject({
        code: `CODEX_JS_SDK_${code}`,
      });
      expect(await engine.calls()).toEqual([]);
    }
  });
});
