import { type FieldProblem, invalid, notFound, page } from "../answers.ts";
import { type Answer, type Call, type Routes, readNumber, timestamp } from "../call.ts";
import { repositoryPath, showRelease } from "../shapes.ts";
import { findTagCommit, type StoredRelease, takeId } from "../state.ts";
import { findRuleViolation, readObjectType } from "./git.ts";

interface ReleaseBody {
  tag_name?: string;
  target_commitish?: string;
  name?: string;
  body?: string;
  draft?: boolean;
  prerelease?: boolean;
  make_latest?: "true" | "false" | "legacy";
}

export const releaseRoutes: Routes = {
  "repos/list-releases": (call) => {
    // Newest first; drafts show to those alone who may write.
    const shown = call.store.state.releases.filter(({ draft }) => !draft || call.access === "write");
    return page(
      call,
      shown.toSorted((a, b) => b.id - a.id),
      (release) => showRelease(call, release),
      `${repositoryPath(call)}/releases`,
    );
  },

  "repos/get-release": (call) => {
    const release = findRelease(call, readNumber(call, "release_id"));
    return release === undefined ? notFound : { status: 200, json: showRelease(call, release) };
  },

  // A draft has no page and no address under its tag, https://docs.github.com/rest/releases/releases#get-a-release-by-tag-name.
  "repos/get-release-by-tag": (call) => {
    const release = call.store.state.releases.find(({ tag, draft }) => tag === call.values.tag && !draft);
    return release === undefined ? notFound : { status: 200, json: showRelease(call, release) };
  },

  "repos/get-latest-release": (call) => {
    const { releases, latestReleaseId } = call.store.state;
    const release = releases.find(({ id, draft }) => id === latestReleaseId && !draft);
    return release === undefined ? notFound : { status: 200, json: showRelease(call, release) };
  },

  "repos/create-release": (call) => {
    const json = call.json as ReleaseBody;
    const { state } = call.store;
    const release: StoredRelease = {
      id: takeId(state),
      tag: json.tag_name!,
      target: json.target_commitish ?? "main",
      name: json.name ?? null,
      body: json.body ?? null,
      draft: true,
      prerelease: json.prerelease ?? false,
      immutable: false,
      createdAt: timestamp(call),
      publishedAt: null,
      assets: [],
    };
    const problems = json.draft === true ? [] : publish(call, release, json.make_latest);
    if (problems.length > 0) return invalid(...problems);
    state.releases.push(release);
    call.store.save();
    const shown = showRelease(call, release);
    return { status: 201, json: shown, headers: { location: shown.url } };
  },

  "repos/update-release": (call) => {
    const release = findRelease(call, readNumber(call, "release_id"));
    if (release === undefined) return notFound;
    return updateRelease(call, release, call.json as ReleaseBody);
  },

  "repos/delete-release": (call) => {
    const { state, save, removeBytes } = call.store;
    const release = findRelease(call, readNumber(call, "release_id"));
    if (release === undefined) return notFound;
    state.releases = state.releases.filter((each) => each !== release);
    for (const { id } of release.assets) removeBytes(id);
    save();
    return { status: 204 };
  },
};

export function findRelease({ store }: Call, id: number): StoredRelease | undefined {
  return store.state.releases.find((release) => release.id === id);
}

function updateRelease(call: Call, release: StoredRelease, json: ReleaseBody): Answer {
  const changed: StoredRelease = {
    ...release,
    tag: json.tag_name ?? release.tag,
    target: json.target_commitish ?? release.target,
    name: json.name ?? release.name,
    body: json.body ?? release.body,
    prerelease: json.prerelease ?? release.prerelease,
  };
  if (release.immutable && changed.tag !== release.tag) {
    return invalid({ resource: "Release", code: "custom", field: "tag_name", message: "is immutable" });
  }
  if (release.draft && json.draft === false) {
    const problems = publish(call, changed, json.make_latest);
    if (problems.length > 0) return invalid(...problems);
  }
  Object.assign(release, changed);
  call.store.save();
  return { status: 200, json: showRelease(call, release) };
}

/** Changes the release, makes its tag where there is none, and says what is in the way of it. */
function publish(call: Call, release: StoredRelease, makeLatest: ReleaseBody["make_latest"]): FieldProblem[] {
  const { state } = call.store;
  const isTaken = state.releases.some(
    ({ id, tag, draft }) => id !== release.id && tag === release.tag && !draft,
  );
  if (isTaken) return [{ resource: "Release", code: "already_exists", field: "tag_name" }];
  if (state.burntTags.includes(release.tag)) {
    const message = "tag_name was used by an immutable release";
    return [{ resource: "Release", code: "custom", field: "tag_name", message }];
  }
  const problems = findTagCommit(state, release.tag) === undefined ? createTag(call, release) : [];
  if (problems.length > 0) return problems;
  release.draft = false;
  release.publishedAt = timestamp(call);
  if (call.immutableReleases) {
    release.immutable = true;
    state.burntTags.push(release.tag);
  }
  if (!release.prerelease && makeLatest !== "false") state.latestReleaseId = release.id;
  return [];
}

function createTag(call: Call, { tag, target }: StoredRelease): FieldProblem[] {
  const { refs } = call.store.state;
  const violation = findRuleViolation(call, `refs/tags/${tag}`);
  if (violation !== undefined) {
    return [
      { resource: "Release", code: "custom", field: "pre_receive", message: `pre_receive ${violation}` },
      { resource: "Release", code: "custom", message: "Published releases must have a valid tag" },
    ];
  }
  const sha = refs[`refs/heads/${target}`]?.sha ?? target;
  if (readObjectType(call, sha) !== "commit") {
    return [{ resource: "Release", code: "invalid", field: "target_commitish" }];
  }
  refs[`refs/tags/${tag}`] = { sha, type: "commit" };
  return [];
}
