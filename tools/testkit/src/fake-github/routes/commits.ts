import { createHash } from "node:crypto";
import { notFound, refused } from "../answers.ts";
import { type Call, type Routes, timestamp, type World } from "../call.ts";
import { login, nodeId, repositoryPath, webPath } from "../shapes.ts";
import type { StoredCommit, StoredTree } from "../state.ts";

interface TreeEntry {
  path: string;
  mode: string;
  sha?: string | null;
  content?: string;
}

/** Trees and commits that are made through the API; what has been pushed is known by name alone. */
export const commitRoutes: Routes = {
  "git/create-tree": (call) => {
    const { tree: entries, base_tree: base } = call.json as { tree: TreeEntry[]; base_tree?: string };
    const { state, save } = call.store;
    const known = base === undefined ? undefined : state.trees[base];
    const tree: StoredTree = { files: { ...known?.files }, base: known === undefined ? base : known.base };
    for (const { path, mode, sha, content } of entries) {
      if (sha === null) tree.files[path] = null;
      else tree.files[path] = { mode, text: content ?? "" };
    }
    const sha = digest(tree);
    state.trees[sha] = tree;
    save();
    return { status: 201, json: showTree(call, sha, tree) };
  },

  "git/create-commit": (call) => {
    const {
      message,
      tree,
      parents = [],
    } = call.json as { message: string; tree: string; parents?: string[] };
    const { state, save } = call.store;
    if (state.trees[tree] === undefined) return refused("Tree SHA does not exist");
    const commit = { message, tree, parents, madeAt: timestamp(call) };
    const sha = digest(commit);
    state.commits[sha] = commit;
    save();
    return { status: 201, json: showCommit(call, sha, commit) };
  },

  "git/get-commit": (call) => {
    const { commit_sha: sha = "" } = call.values;
    const commit = call.store.state.commits[sha];
    return commit === undefined ? notFound : { status: 200, json: showCommit(call, sha, commit) };
  },
};

function digest(value: object): string {
  return createHash("sha1").update(JSON.stringify(value)).digest("hex");
}

function showTree(call: Call, sha: string, { files }: StoredTree) {
  const git = `${call.urls.api}${repositoryPath(call)}/git`;
  const tree = Object.entries(files).flatMap(([path, file]) => {
    if (file === null) return [];
    const blob = digest(file);
    const size = Buffer.byteLength(file.text);
    return [{ path, mode: file.mode, type: "blob", size, sha: blob, url: `${git}/blobs/${blob}` }];
  });
  return { sha, url: `${git}/trees/${sha}`, tree, truncated: false };
}

function showCommit(world: World, sha: string, { message, tree, parents, madeAt }: StoredCommit) {
  const git = `${world.urls.api}${repositoryPath(world)}/git`;
  const person = { name: login, email: `${login}@example.com`, date: madeAt };
  const page = (commit: string) => `${webPath(world)}/commit/${commit}`;
  return {
    sha,
    node_id: nodeId("Commit", sha),
    url: `${git}/commits/${sha}`,
    html_url: page(sha),
    author: person,
    committer: person,
    message,
    tree: { sha: tree, url: `${git}/trees/${tree}` },
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${git}/commits/${parent}`,
      html_url: page(parent),
    })),
    verification: { verified: true, reason: "valid", signature: null, payload: null, verified_at: null },
  };
}
