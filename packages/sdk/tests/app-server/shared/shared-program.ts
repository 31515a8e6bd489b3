import { AppServerClient } from "../../../src/app-server/client.ts";
import type { EngineCommand } from "../../../src/app-server/engine-child.ts";
import { joinSharedServer } from "../../../src/app-server/shared/join-shared-server.ts";
import type { SharedServerOptions } from "../../../src/app-server/shared/shared-options.ts";

/** What a program of its own is to do with the shared server; its argument, as JSON. */
export interface ProgramTask {
  command: EngineCommand;
  options: Omit<SharedServerOptions, "command">;
  /** Joins and says who it found; or starts a turn that runs a command and says which. Then it stays until stdin ends. */
  turn?: { cwd: string; prompt: string };
}

/** What it says, one line of JSON. */
export type ProgramReport = { pid: number; isStarter: boolean } | { threadId: string; turnId: string };

async function run({ command, options, turn }: ProgramTask): Promise<void> {
  const shared = { command: () => command, ...options };
  if (turn === undefined) {
    const { pid, isStarter, leave } = await joinSharedServer(shared);
    await report({ pid, isStarter });
    leave();
    return;
  }
  const introduction = { clientInfo: { name: "codex_js_test", title: null, version: "1" } };
  const client = AppServerClient.overShared({ ...shared, introduction });
  const { thread } = await client.request("thread/start", { cwd: turn.cwd, approvalPolicy: "never" });
  const isAtWork = new Promise<void>((resolve) => {
    client.onNotification("item/started", ({ params }) => {
      if (params.item.type === "commandExecution") resolve();
    });
  });
  const input = [{ type: "text" as const, text: turn.prompt, text_elements: [] }];
  const { id } = await client.startTurn({ threadId: thread.id, input });
  await isAtWork;
  await report({ threadId: thread.id, turnId: id });
  await client.close();
}

/** Says it and waits until it may go on. */
async function report(value: ProgramReport): Promise<void> {
  process.stdout.write(`${JSON.stringify(value)}\n`);
  for await (const _ of process.stdin);
}

await run(JSON.parse(process.argv[2]!));
