import { createCodexHome, defaultUsage, startMockModel } from "@codex-js/testkit/mock-model";
import { createMismatch, expectEqual } from "../expect.ts";
import { type Check, type CheckContext, sdkPackage } from "./check.ts";

/** What fixtures/sdk-turn.js prints. */
interface SdkTurns {
  events: {
    type: string;
    item?: { type: string; text?: string; message?: string };
    usage?: Record<string, number>;
  }[];
  threadId: string | null;
  answer: string;
}

/** Two turns on one thread, streamed and whole, by a program that only knows the SDK. */
export const sdkTurnCheck: Check = {
  name: "sdk turn",
  needs: [sdkPackage],
  run: async (context) => {
    const prompts = [`What does ${context.runtime.id} say?`, "And then?"] as const;
    const turns = await runTurns(context, prompts);
    verifyTurns(turns, prompts);
  },
};

async function runTurns({ project, signal }: CheckContext, prompts: readonly string[]): Promise<SdkTurns> {
  await using model = await startMockModel({ signal });
  await using home = await createCodexHome(model, { dir: await project.createFolder("sdk-codex-home") });
  const program = await project.copyFixture("sdk-turn.js");
  const workingDirectory = await project.createFolder("sdk-cwd");
  const { stdout } = await project.runRuntime([program, workingDirectory, ...prompts], { env: home.env });
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw createMismatch(`the program printed no JSON: ${stdout.slice(-500)}`, cause);
  }
}

/** @throws ToolError CODEX_JS_SMOKE_MISMATCH (check failed) */
function verifyTurns(turns: SdkTurns, [first, second]: readonly [string, string]): void {
  expectEqual("the streamed turn's events", turns.events.filter(isAboutTurn).map(summarise), [
    "thread.started",
    "turn.started",
    `item.completed agent_message mock: ${first}`,
    "turn.completed",
  ]);
  const usage = turns.events.at(-1)?.usage;
  expectEqual(
    "the streamed turn's usage",
    [usage?.input_tokens, usage?.output_tokens],
    [defaultUsage.inputTokens, defaultUsage.outputTokens],
  );
  expectEqual("the type of the thread's id", typeof turns.threadId, "string");
  expectEqual("the second turn's answer", turns.answer, `mock: ${second}`);
}

/** The engine notes that it has no metadata for the mock model, which is no news. */
function isAboutTurn({ item }: SdkTurns["events"][number]): boolean {
  return item?.type !== "error" || !/^Model metadata for .* not found/.test(item.message ?? "");
}

function summarise({ type, item }: SdkTurns["events"][number]): string {
  return [type, item?.type, item?.text, item?.message].filter((part) => part !== undefined).join(" ");
}
