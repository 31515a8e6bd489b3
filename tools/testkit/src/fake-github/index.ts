export type { JournalEntry } from "../fault-plan/index.ts";
export { type FakeGithub, startFakeGithub } from "./fake-github.ts";
export type { Access, FakeGithubOptions } from "./options.ts";
export type { GithubSnapshot, ProposalSnapshot, SnapshotRelease } from "./snapshot.ts";
