import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reply } from "@codex-js/testkit/mock-model";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { AppServerClient } from "../../src/app-server/client.ts";
import { resolveEngine } from "../../src/exec/find-installed-engine.ts";
import type { CodexOptions } from "../../src/index.ts";
import type { Place, Scenario } from "./both-transports.ts";

const inOrder =
  (...replies: ReturnType<(typeof reply)[keyof typeof reply]>[]): Scenario["respond"] =>
  (_request, index) =>
    replies[Math.min(index, replies.length - 1)]!;

const done = reply.message("done");
const command = (cmd: string, more: object = {}) => reply.functionCall("exec_command", { cmd, ...more });
const patch = (text: string) =>
  reply.customToolCall("apply_patch", `*** Begin Patch\n${text}\n*** End Patch\n`);
const plan = (...steps: [step: string, status: string][]) =>
  reply.functionCall("update_plan", { plan: steps.map(([step, status]) => ({ step, status })) });
const unsandboxed = { sandboxMode: "danger-full-access" } as const;
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What has to be the same over both transports. */
export const scenarios: Record<string, Scenario> = {
  "a message": {},
  "a message by run()": { program: ({ run, startThread }) => run(startThread()) },
  "two turns on one thread": {
    program: async ({ stream, startThread }) => {
      const thread = startThread();
      await stream(thread, "one");
      await stream(thread, "two");
    },
  },
  "resuming in another client": {
    program: async ({ stream, startThread, createCodex, threadOptions }) => {
      const thread = startThread();
      await stream(thread, "one");
      await stream(createCodex().resumeThread(thread.id!, threadOptions), "two");
    },
  },
  "resuming with other options": {
    program: async ({ stream, startThread, resumeThread }) => {
      const thread = startThread({ sandboxMode: "read-only", modelReasoningEffort: "low" });
      await stream(thread, "one");
      await stream(
        resumeThread(thread.id!, { sandboxMode: "workspace-write", modelReasoningEffort: "high" }),
        "two",
      );
      await stream(resumeThread(thread.id!), "three");
      await stream(thread, "four");
    },
  },
  "streamed text": { respond: () => reply.message("word ".repeat(50), { deltaChars: 7 }) },
  "reasoning, with and without a text": {
    respond: () => reply.sequence(reply.reasoning("thinking"), reply.reasoning(" "), done),
  },
  "a command that succeeds": {
    thread: unsandboxed,
    respond: inOrder(command("echo out"), done),
  },
  "a command that fails": { thread: unsandboxed, respond: inOrder(command("echo no; exit 3"), done) },
  "a command with much output": { thread: unsandboxed, respond: inOrder(command("seq 1 60000"), done) },
  "a command that is left running": {
    thread: unsandboxed,
    respond: inOrder(command("echo $$ > pid; exec sleep 1000", { yield_time_ms: 250 }), done),
    program: async ({ workDir, stream, startThread }) => {
      await stream(startThread());
      await waitUntilGone(Number(await readFile(join(workDir, "pid"), "utf8")));
    },
  },
  "an engine that is killed in mid-turn": {
    thread: unsandboxed,
    respond: (_request, index) => (index === 0 ? command("kill -9 $PPID; sleep 1000") : done),
    program: async ({ run, startThread }) => {
      const thread = startThread();
      await run(thread, "one");
      await run(thread, "two");
    },
  },
  "a command that would need an approval": {
    thread: { sandboxMode: "read-only", approvalPolicy: "on-request" },
    respond: inOrder(
      command("touch x", { sandbox_permissions: "require_escalated", justification: "please" }),
      done,
    ),
  },
  "a patch": {
    thread: unsandboxed,
    respond: inOrder(
      patch("*** Add File: new.txt\n+hello"),
      patch("*** Update File: new.txt\n@@\n-hello\n+bye"),
      patch("*** Delete File: new.txt"),
      done,
    ),
  },
  "a patch that does not fit": {
    thread: unsandboxed,
    respond: inOrder(patch("*** Update File: missing.txt\n@@\n-a\n+b"), done),
  },
  "a patch that the sandbox forbids": {
    thread: { sandboxMode: "read-only" },
    respond: inOrder(patch("*** Add File: new.txt\n+hello"), done),
  },
  "a plan": {
    toml: "include_plan_tool = true",
    respond: inOrder(
      plan(["one", "in_progress"], ["two", "pending"]),
      plan(["one", "completed"], ["two", "in_progress"]),
      plan(["one", "completed"], ["two", "completed"]),
      done,
    ),
  },
  "an unknown tool": { respond: inOrder(reply.functionCall("no_such_tool", {}), done) },
  "an MCP tool": {
    toml: () => mcpServer(),
    respond: inOrder(
      reply.functionCall({ namespace: "mcp__calc", name: "add" }, { a: 1, b: 2 }),
      reply.functionCall({ namespace: "mcp__calc", name: "fail" }, {}),
      reply.functionCall({ namespace: "mcp__calc", name: "ask" }, {}),
      done,
    ),
  },
  "an MCP server that does not start": {
    toml: '[mcp_servers.broken]\ncommand = "/no/such/server"',
  },
  "an error of the model: 400": {
    respond: () => reply.error(400, { error: { message: "no such model" } }),
  },
  "an error of the model: 500": { respond: () => reply.error(500, { error: { message: "oops" } }) },
  "an error of the model: 429": {
    respond: () => reply.error(429, { error: { message: "slow down", type: "rate_limit" } }),
  },
  "an error of the model: 401": { respond: () => reply.error(401, { error: { message: "who?" } }) },
  "a failed response": { respond: () => reply.failed("server_error", "the model broke") },
  "a context that is full": {
    respond: () => reply.failed("context_length_exceeded", "too much"),
  },
  "a stream that is cut": { respond: () => reply.cut({ afterText: "half of" }) },
  "a stream that is cut and retried": {
    toml: ({ modelUrl }) =>
      `[model_providers.mock]\nname = "mock"\nbase_url = "${modelUrl}"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 1`,
    respond: inOrder(reply.cut({ afterText: "half of" }), done),
  },
  "a turn after one that failed": {
    respond: inOrder(reply.error(400, { error: { message: "no" } }), done),
    program: async ({ stream, run, startThread }) => {
      const thread = startThread();
      await run(thread, "one");
      await stream(thread, "two");
    },
  },
  "an output schema": {
    respond: () => reply.message('{"ok":true}'),
    program: ({ run, startThread }) =>
      run(startThread(), "hello", {
        outputSchema: {
          type: "object",
          properties: { ok: { type: "boolean" } },
          required: ["ok"],
          additionalProperties: false,
        },
      }),
  },
  "an output schema that is no object": {
    program: ({ run, startThread }) => run(startThread(), "hello", { outputSchema: [] }),
  },
  images: {
    program: async ({ dir, run, startThread }) => {
      await writeFile(join(dir, "one.png"), pixel);
      await run(startThread(), [
        { type: "text", text: "look" },
        { type: "local_image", path: join(dir, "one.png") },
        { type: "text", text: "at it" },
        { type: "local_image", path: join(dir, "missing.png") },
      ]);
    },
  },
  "aborting in mid-turn": {
    respond: () => reply.hang({ afterText: "well" }),
    program: async ({ asked, stream, startThread }) => {
      const abort = new AbortController();
      asked().then(() => abort.abort(new Error("enough")));
      await stream(startThread(), "hello", { signal: abort.signal });
    },
  },
  "aborting before the turn": {
    program: ({ run, startThread }) =>
      run(startThread(), "hello", { signal: AbortSignal.abort(new Error("enough")) }),
  },
  "a turn after one that was aborted": {
    respond: (request) => (request.userTexts.at(-1) === "one" ? reply.hang() : done),
    program: async ({ asked, stream, startThread }) => {
      const thread = startThread();
      const abort = new AbortController();
      asked().then(() => abort.abort(new Error("enough")));
      await stream(thread, "one", { signal: abort.signal });
      await stream(thread, "two");
    },
  },
  "leaving the loop early": {
    respond: () => reply.hang({ afterText: "well" }),
    program: ({ asked, stream, startThread }) =>
      stream(startThread(), "hello", {
        onEvent: async ({ type }) => {
          if (type !== "turn.started") return undefined;
          await asked();
          return "leave";
        },
      }),
  },
  "a folder outside git": {
    program: ({ dir, run, startThread }) => run(startThread({ workingDirectory: dir })),
  },
  "what counts as a repository": {
    program: async ({ dir, workDir, run, startThread }) => {
      const layouts: Record<string, string[]> = {
        "empty .git": [".git/"],
        "HEAD only": [".git/HEAD"],
        "no HEAD": [".git/objects/", ".git/refs/"],
        "file that points nowhere": [".git"],
        bare: ["HEAD", "objects/", "refs/"],
      };
      for (const [name, paths] of Object.entries(layouts)) {
        for (const path of paths) {
          const target = join(dir, name, path);
          await mkdir(path.endsWith("/") ? target : dirname(target), { recursive: true });
          if (!path.endsWith("/"))
            await writeFile(target, path === ".git" ? "gitdir: /nowhere" : "ref: refs/heads/x");
        }
        await run(startThread({ workingDirectory: join(dir, name) }));
      }
      await symlink(workDir, join(dir, "link"), "junction");
      await mkdir(join(workDir, "sub"));
      await run(startThread({ workingDirectory: join(dir, "link", "sub") }));
    },
  },
  "a folder outside git, allowed": {
    program: ({ dir, stream, startThread }) =>
      stream(startThread({ workingDirectory: dir, skipGitRepoCheck: true })),
  },
  "a folder that is not there": {
    program: ({ dir, run, startThread }) => run(startThread({ workingDirectory: join(dir, "missing") })),
  },
  "an empty prompt": { program: ({ run, startThread }) => run(startThread(), " \n") },
  "an unknown thread": {
    program: ({ run, resumeThread }) => run(resumeThread("01a22d21-0bfb-7ca0-a735-cfcd78e16e70")),
  },
  "a name": {
    program: async ({ dir, homeDir, codex, createCodex, threadOptions, stream, startThread }) => {
      const [named, other] = [startThread(), startThread({ workingDirectory: dir, skipGitRepoCheck: true })];
      await stream(named, "one");
      await stream(other, "elsewhere");
      await codex.close();
      await nameThreads({ [other.id!]: "my thread", [named.id!]: "my thread" }, homeDir);
      await stream(createCodex().resumeThread("my thread", threadOptions), "two");
    },
  },
  "a name that no thread has": { program: ({ stream, resumeThread }) => stream(resumeThread("my thread")) },
  "an approval policy that is gone": {
    thread: { approvalPolicy: "untrusted" },
    program: ({ run, startThread }) => run(startThread()),
  },
  "an approval policy that only exec takes": { thread: { approvalPolicy: "on-failure" } },
  "an unknown setting": {
    codex: { config: { unknown_key: 1 } },
    program: async ({ stream, startThread }) => {
      const thread = startThread();
      await stream(thread, "one");
      await stream(thread, "two");
    },
  },
  "a deprecated setting": {
    codex: { config: { features: { web_search_request: true } } },
    program: async ({ stream, startThread }) => {
      const thread = startThread();
      await stream(thread, "one");
      await stream(thread, "two");
    },
  },
  "a model without metadata": {
    thread: { model: "other-model" },
    program: async ({ stream, startThread }) => {
      const thread = startThread();
      await stream(thread, "one");
      await stream(thread, "two");
    },
  },
  "a null in the configuration": {
    codex: { config: { a: null as never } },
    program: ({ run, startThread }) => run(startThread()),
  },
  "options: every one of a thread": {
    thread: ({ dir }) => ({
      model: "mock-model",
      threadSource: "ci",
      sandboxMode: "workspace-write",
      modelReasoningEffort: "high",
      networkAccessEnabled: true,
      webSearchMode: "live",
      approvalPolicy: "on-request",
      additionalDirectories: [join(dir, "more"), "relative"],
    }),
  },
  "a folder with a configuration of its own, not trusted": {
    thread: { sandboxMode: "workspace-write" },
    program: async ({ workDir, stream, startThread }) => {
      await mkdir(join(workDir, ".codex"));
      await writeFile(join(workDir, ".codex", "config.toml"), 'model_reasoning_effort = "low"');
      await stream(startThread());
    },
  },
  "a folder with a configuration of its own, trusted": {
    toml: ({ workDir }) => `[projects.${JSON.stringify(workDir)}]\ntrust_level = "trusted"`,
    program: async ({ workDir, stream, startThread, resumeThread }) => {
      await mkdir(join(workDir, ".codex"));
      await writeFile(join(workDir, ".codex", "config.toml"), 'model_reasoning_effort = "low"');
      const thread = startThread();
      await stream(thread);
      await stream(resumeThread(thread.id!), "again");
    },
  },
  "options: read-only": { thread: { sandboxMode: "read-only" } },
  "options: full access": { thread: unsandboxed },
  "options: web search off": { thread: { webSearchEnabled: false } },
  "options: web search on": { thread: { webSearchEnabled: true } },
  "options: more directories, the configuration's too": {
    toml: '[sandbox_workspace_write]\nwritable_roots = ["/var/tmp"]',
    thread: { sandboxMode: "workspace-write", additionalDirectories: ["/usr/local"] },
  },
  "options: more directories, read-only": {
    thread: { sandboxMode: "read-only", additionalDirectories: ["/usr/local"] },
  },
  "options: effort from the configuration": {
    toml: 'model_reasoning_effort = "low"',
    program: async ({ stream, startThread, resumeThread }) => {
      const thread = startThread({ modelReasoningEffort: "high" });
      await stream(thread, "one");
      await stream(resumeThread(thread.id!), "two");
    },
  },
  "options: config and raw overrides": {
    codex: {
      config: { model_reasoning_effort: "low", sandbox_mode: "workspace-write" },
      configOverrides: ['model_reasoning_effort="high"', "developer_instructions=be kind"],
    },
  },
  "options: an API key": {
    toml: 'model_provider = "keyed"',
    codex: keyed,
  },
  "options: an API key beside a login": {
    toml: 'model_provider = "keyed"',
    codex: keyed,
    program: async ({ homeDir, run, startThread, note }) => {
      const file = join(homeDir, "auth.json");
      await writeFile(file, '{"OPENAI_API_KEY":"sk-stored"}');
      await run(startThread());
      note(await readFile(file, "utf8"));
    },
  },
  "a login, no API key": {
    toml: 'model_provider = "keyed"',
    codex: (place) => ({ ...keyed(place), apiKey: "" }),
    program: async ({ homeDir, run, startThread, note }) => {
      const file = join(homeDir, "auth.json");
      await writeFile(file, '{"OPENAI_API_KEY":"sk-stored"}');
      await run(startThread());
      note(await readFile(file, "utf8"));
    },
  },
  "an executable that is not there": {
    codex: { codexPathOverride: "/no/such/codex" },
    program: ({ run, startThread }) => run(startThread()),
  },
  "options: an originator of one's own": {
    codex: { env: { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "my_program" } },
  },
  "options: a cyber access program": {
    program: ({ run, startThread }) => run(startThread(), "hello", { cyberAccessProgram: "standard" }),
  },
};

/** A provider that wants a key, and one that the program brings. */
function keyed({ modelUrl }: Place): CodexOptions {
  const provider = { name: "keyed", base_url: modelUrl, wire_api: "responses", requires_openai_auth: true };
  return { apiKey: "sk-secret", config: { model_providers: { keyed: provider } } };
}

function mcpServer(): string {
  const file = join(import.meta.dirname, "mcp-server.ts");
  return `[mcp_servers.calc]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(file)}]`;
}

/** There is no command for it: names are given by a client of the engine. */
async function nameThreads(names: Record<string, string>, homeDir: string): Promise<void> {
  const { executablePath } = resolveEngine({});
  const client = AppServerClient.overStdio({
    command: () => ({
      file: executablePath,
      args: ["app-server"],
      env: { ...process.env, CODEX_HOME: homeDir },
    }),
    introduction: { clientInfo: { name: "test", title: null, version: "0" } },
  });
  for (const [threadId, name] of Object.entries(names)) {
    await client.request("thread/name/set", { threadId, name });
  }
  await client.close();
}
