import { createHash } from "node:crypto";
import { notFound, page, refused } from "../answers.ts";
import { type Answer, type Call, type Routes, timestamp, type World } from "../call.ts";
import { login, nodeId, repositoryPath, showRef } from "../shapes.ts";
import type { TagObject } from "../state.ts";

export const gitRoutes: Routes = {
  "git/get-ref": (call) => {
    const name = readRefName(call);
    const ref = call.store.state.refs[name];
    return ref === undefined ? notFound : { status: 200, json: showRef(call, name, ref) };
  },

  "git/list-matching-refs": (call) => {
    const start = readRefName(call);
    const names = Object.keys(call.store.state.refs).filter((name) => name.startsWith(start));
    const path = `${repositoryPath(call)}/git/matching-refs/${call.values.ref}`;
    return page(call, names.sort(), (name) => showRef(call, name, call.store.state.refs[name]!), path);
  },

  "git/create-ref": (call) => {
    const { ref: name, sha } = call.json as { ref: string; sha: string };
    const { state, save } = call.store;
    if (!/^refs(\/[^/]+){2,}$/.test(name)) return refused(`${name} is not a valid ref name.`);
    const type = readObjectType(call, sha);
    if (type === undefined) return refused("Object does not exist");
    if (state.refs[name] !== undefined) return refused("Reference already exists");
    const violation = findRuleViolation(call, name);
    if (violation !== undefined) return refused(violation);
    const ref = { sha, type };
    state.refs[name] = ref;
    save();
    const json = showRef(call, name, ref);
    return { status: 201, json, headers: { location: json.url } };
  },

  "git/update-ref": (call) => {
    const name = readRefName(call);
    const { sha, force = false } = call.json as { sha: string; force?: boolean };
    const { state, save } = call.store;
    const type = readObjectType(call, sha);
    if (state.refs[name] === undefined) return refused("Reference does not exist");
    if (type === undefined) return refused("Object does not exist");
    // Of commits that were pushed nobody here knows the parents.
    const parents = state.commits[sha]?.parents;
    if (!force && parents !== undefined && !parents.includes(state.refs[name].sha))
      return refused("Update is not a fast forward");
    if (isTaken(call, name)) return refused(immutableTag);
    state.refs[name] = { sha, type };
    save();
    return { status: 200, json: showRef(call, name, state.refs[name]) };
  },

  "git/delete-ref": (call) => {
    const name = readRefName(call);
    const { state, save } = call.store;
    if (state.refs[name] === undefined) return refused("Reference does not exist");
    if (isTaken(call, name)) return refused(immutableTag);
    delete state.refs[name];
    // A release whose tag is gone falls back to a draft.
    for (const release of state.releases) if (`refs/tags/${release.tag}` === name) release.draft = true;
    save();
    return { status: 204 };
  },

  "git/create-tag": (call) => {
    const { tag, message, object } = call.json as { tag: string; message: string; object: string };
    if (readObjectType(call, object) === undefined) return refused("Object does not exist");
    const stored = { tag, message, object, taggedAt: timestamp(call) };
    const sha = createHash("sha1").update(JSON.stringify(stored)).digest("hex");
    call.store.state.tagObjects[sha] = stored;
    call.store.save();
    return { status: 201, json: showTag(call, sha, stored) };
  },

  "git/get-tag": (call) => {
    const { tag_sha: sha = "" } = call.values;
    const stored = call.store.state.tagObjects[sha];
    return stored === undefined ? notFound : { status: 200, json: showTag(call, sha, stored) };
  },
};

const immutableTag = "Cannot change a tag that an immutable release uses";

/** By a ruleset of the repository; GitHub words it as here, https://github.com/googleapis/release-please-action/issues/1194. */
export function findRuleViolation({ protectedTags }: World, ref: string): string | undefined {
  const tag = /^refs\/tags\/(.+)$/.exec(ref)?.[1];
  if (tag === undefined || !protectedTags.some((pattern) => pattern.test(tag))) return undefined;
  return "Repository rule violations found\n\nCannot create ref due to creations being restricted.\n\n";
}

/** Undefined for what has not been pushed. */
export function readObjectType({ store, commits }: World, sha: string): "commit" | "tag" | undefined {
  if (store.state.tagObjects[sha] !== undefined) return "tag";
  if (store.state.commits[sha] !== undefined) return "commit";
  const isCommit = commits === undefined ? /^[0-9a-f]{40}$/.test(sha) : commits.includes(sha);
  return isCommit ? "commit" : undefined;
}

function readRefName({ values }: Call): string {
  return `refs/${values.ref}`;
}

function isTaken({ store }: Call, ref: string): boolean {
  return store.state.burntTags.some((tag) => `refs/tags/${tag}` === ref);
}

function showTag(world: World, sha: string, { tag, message, object, taggedAt }: TagObject): Answer["json"] {
  const git = `${world.urls.api}${repositoryPath(world)}/git`;
  return {
    node_id: nodeId("Tag", sha),
    sha,
    url: `${git}/tags/${sha}`,
    tagger: { name: login, email: `${login}@example.com`, date: taggedAt },
    object: { sha: object, type: "commit", url: `${git}/commits/${object}` },
    tag,
    message,
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}
