export { type CodexHome, type CodexHomeOptions, createCodexHome } from "./codex-home.ts";
export {
  defaultUsage,
  type MockItem,
  type MockModelReply,
  type MockUsage,
  type ReplyOptions,
  reply,
  type TextReplyOptions,
} from "./reply.ts";
export type { MockModelRequest } from "./request.ts";
export { type MockModel, type MockModelOptions, startMockModel } from "./server.ts";
