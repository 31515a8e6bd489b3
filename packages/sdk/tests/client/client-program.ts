// Runs on Node and on Bun, in a process of its own: uses the built client, ends without closing it by hand.
/** What to do, as JSON in argv. */
export interface Task {
  sdk: string;
  workDir: string;
}

const { sdk, workDir }: Task = JSON.parse(process.argv[2] ?? "");
const { CodexClient }: typeof import("../../src/index.ts") = await import(sdk);

async function use(): Promise<unknown[]> {
  await using client = new CodexClient();
  client.onCommandApproval(() => ({ decision: "accept" }));
  const { thread } = await client.threads.start({
    cwd: workDir,
    approvalPolicy: "on-request",
    sandbox: "read-only",
  });
  const turn = await client.startTurn({ threadId: thread.id, input: "run! echo approved" });
  const outputs: unknown[] = [];
  for await (const event of turn.events) {
    if (event.method !== "item/completed" || event.params.item.type !== "commandExecution") continue;
    outputs.push(event.params.item.aggregatedOutput);
  }
  return [outputs, (await turn.result()).finalResponse, client.state];
}

process.stdout.write(JSON.stringify(await use()));
