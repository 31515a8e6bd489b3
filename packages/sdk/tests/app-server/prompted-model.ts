import {
  type MockModel,
  type MockModelReply,
  type MockModelRequest,
  reply,
  startMockModel,
} from "@codex-js/testkit/mock-model";

/**
 * A mock model that does what its prompt says: `hang` streams a word and never ends, `run CMD` calls the
 * shell tool (`run! CMD` asks for it to run outside the sandbox), `stream N` sends N words one by one, `long N` sends N
 * characters in one piece,
 * `tool NAME JSON` calls another tool, of an MCP server for example,
 * `add FILE` calls the patch tool,
 * everything else is echoed. After a tool's output it says `done`.
 */
export function startPromptedModel(): Promise<MockModel> {
  return startMockModel({ respond: decide });
}

function decide({ body, userTexts }: MockModelRequest): MockModelReply {
  const { input } = body as { input: { type?: string }[] };
  if (input.at(-1)?.type?.endsWith("_output")) return reply.message("done");
  const prompt = userTexts.at(-1) ?? "";
  const [, kind, argument = ""] = /^(hang|run!?|stream|long|tool|add)(?: (.*))?$/s.exec(prompt) ?? [];
  if (kind === "hang") return reply.hang({ afterText: "word" });
  if (kind === "stream") return reply.message("word ".repeat(Number(argument)), { deltaChars: 5 });
  if (kind === "long") return reply.message("x".repeat(Number(argument)));
  if (kind === "run") return reply.functionCall("exec_command", { cmd: argument });
  if (kind === "run!") {
    const escalation = { sandbox_permissions: "require_escalated", justification: "test" };
    return reply.functionCall("exec_command", { cmd: argument, ...escalation });
  }
  if (kind === "add") {
    const patch = `*** Begin Patch\n*** Add File: ${argument}\n+new\n*** End Patch`;
    return reply.customToolCall("apply_patch", patch);
  }
  if (kind === "tool") {
    const [name = "", ...args] = argument.split(" ");
    const [, namespace, tool] = /^(mcp__\w+)\.(\w+)$/.exec(name) ?? [];
    return reply.functionCall(
      namespace && tool ? { namespace, name: tool } : name,
      JSON.parse(args.join(" ") || "{}"),
    );
  }
  return reply.message(`echo: ${prompt}`);
}
