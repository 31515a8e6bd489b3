import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createState, type State } from "./state.ts";

/** Where the state lives between requests; what assets hold is kept apart from it. */
export interface StateStore {
  readonly state: State;
  /** Called after every change of `state`. */
  save(): void;
  readBytes(assetId: number): Buffer | undefined;
  writeBytes(assetId: number, bytes: Buffer): void;
  removeBytes(assetId: number): void;
}

export function openStateStore(dir: string | undefined, commits: readonly string[] | undefined): StateStore {
  return dir === undefined ? createMemoryStore(createState(commits)) : openFileStore(dir, commits);
}

function createMemoryStore(state: State): StateStore {
  const bytesOf = new Map<number, Buffer>();
  return {
    state,
    save: () => {},
    readBytes: (id) => bytesOf.get(id),
    writeBytes: (id, bytes) => void bytesOf.set(id, bytes),
    removeBytes: (id) => void bytesOf.delete(id),
  };
}

/** Synchronous, so that no other request comes between a change and its file. */
function openFileStore(dir: string, commits: readonly string[] | undefined): StateStore {
  const stateFile = join(dir, "state.json");
  const assetFile = (id: number) => join(dir, "assets", String(id));
  mkdirSync(join(dir, "assets"), { recursive: true });
  const kept = readIfThere(stateFile);
  const state = kept === undefined ? createState(commits) : (JSON.parse(kept.toString("utf8")) as State);
  return {
    state,
    save: () => {
      const written = `${stateFile}.new`;
      writeFileSync(written, JSON.stringify(state, null, 2));
      renameSync(written, stateFile);
    },
    readBytes: (id) => readIfThere(assetFile(id)),
    writeBytes: (id, bytes) => writeFileSync(assetFile(id), bytes),
    removeBytes: (id) => rmSync(assetFile(id), { force: true }),
  };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
