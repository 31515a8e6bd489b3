// Never run: it says, to a type checker, that a program moves over by changing the import. The official
// package's own declarations are one side, ours the other. A test compiles it against dist/index.d.ts.
import type * as Official from "@openai/codex-sdk";
import type * as Ours from "../../src/index.ts";

/** Values of one side are values of the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Everything that A has, B takes. */
type Goes<A, B> = [A] extends [B] ? true : false;
/** Does not compile where one of them is false. */
type Hold<T extends true[]> = T;
/** A class without its private parts, which make every class a type of its own. */
type Public<T> = { [K in keyof T]: T[K] };

// What the official SDK exports as types and has the same shape here.
export type Equal = Hold<
  [
    Same<Official.AgentMessageItem, Ours.AgentMessageItem>,
    Same<Official.ApprovalMode, Ours.ApprovalMode>,
    Same<Official.CommandExecutionItem, Ours.CommandExecutionItem>,
    Same<Official.CyberAccessProgram, Ours.CyberAccessProgram>,
    Same<Official.ErrorItem, Ours.ErrorItem>,
    Same<Official.FileChangeItem, Ours.FileChangeItem>,
    Same<Official.Input, Ours.Input>,
    Same<Official.McpToolCallItem, Ours.McpToolCallItem>,
    Same<Official.ModelReasoningEffort, Ours.ModelReasoningEffort>,
    Same<Official.ReasoningItem, Ours.ReasoningItem>,
    Same<Official.SandboxMode, Ours.SandboxMode>,
    Same<Official.ThreadError, Ours.ThreadError>,
    Same<Official.ThreadErrorEvent, Ours.ThreadErrorEvent>,
    Same<Official.ThreadStartedEvent, Ours.ThreadStartedEvent>,
    Same<Official.TodoListItem, Ours.TodoListItem>,
    Same<Official.TurnCompletedEvent, Ours.TurnCompletedEvent>,
    Same<Official.TurnFailedEvent, Ours.TurnFailedEvent>,
    Same<Official.TurnOptions, Ours.TurnOptions>,
    Same<Official.TurnStartedEvent, Ours.TurnStartedEvent>,
    Same<Official.Usage, Ours.Usage>,
    Same<Official.UserInput, Ours.UserInput>,
    Same<Official.WebSearchItem, Ours.WebSearchItem>,
  ]
>;

// Wider here, on purpose.
export type Clientoptions = Hold<
  [
    Goes<Official.CodexOptions, Ours.CodexOptions>,
    Same<
      Omit<Official.CodexOptions, "configOverrides">,
      Omit<Ours.CodexOptions, "transport" | "configOverrides">
    >,
  ]
>;

// Wider here, on purpose. The engine's own union has `indexed` besides.
type OurWebSearchExtra = "indexed";
export type Websearch = Hold<[Same<Exclude<Ours.WebSearchMode, OurWebSearchExtra>, Official.WebSearchMode>]>;
export type Threadoptions = Hold<
  [
    Goes<Official.ThreadOptions, Ours.ThreadOptions>,
    Same<Omit<Official.ThreadOptions, "webSearchMode">, Omit<Ours.ThreadOptions, "webSearchMode">>,
  ]
>;

// The engine emits items for its collaboration tools, which the official union leaves out.
type OurItems = Exclude<Ours.ThreadItem, Ours.CollabToolCallItem>;
export type Items = Hold<[Same<OurItems, Official.ThreadItem>]>;
type WithOfficialItem<E> = E extends { item: Ours.ThreadItem }
  ? Omit<E, "item"> & { item: OurItems }
  : Omit<E, "turn_usage">;
export type Events = Hold<
  [
    Same<WithOfficialItem<Ours.ItemStartedEvent>, Official.ItemStartedEvent>,
    Same<WithOfficialItem<Ours.ItemUpdatedEvent>, Official.ItemUpdatedEvent>,
    Same<WithOfficialItem<Ours.ItemCompletedEvent>, Official.ItemCompletedEvent>,
    Same<WithOfficialItem<Ours.ThreadEvent>, Official.ThreadEvent>,
    Goes<Official.ThreadEvent, Ours.ThreadEvent>,
    Goes<Official.RunResult, Ours.RunResult>,
    Same<Omit<Official.RunResult, "items">, Omit<Ours.RunResult, "items" | "turnUsage">>,
    Same<keyof Official.RunStreamedResult, keyof Ours.RunStreamedResult>,
  ]
>;

// The classes: the same public members, with parameters that take what the official ones take.
export type Classes = Hold<
  [
    Same<keyof Official.Codex, Exclude<keyof Ours.Codex, "close" | typeof Symbol.asyncDispose>>,
    Same<keyof Official.Thread, keyof Ours.Thread>,
    Goes<ConstructorParameters<typeof Official.Codex>, ConstructorParameters<typeof Ours.Codex>>,
    Goes<Parameters<Official.Codex["startThread"]>, Parameters<Ours.Codex["startThread"]>>,
    Goes<Parameters<Official.Codex["resumeThread"]>, Parameters<Ours.Codex["resumeThread"]>>,
    Goes<Parameters<Official.Thread["run"]>, Parameters<Ours.Thread["run"]>>,
    Goes<Parameters<Official.Thread["runStreamed"]>, Parameters<Ours.Thread["runStreamed"]>>,
    Same<Public<Pick<Official.Thread, "id">>, Public<Pick<Ours.Thread, "id">>>,
  ]
>;
