import type { Urls, World } from "./call.ts";
import { readDescription } from "./description/read-description.ts";
import { findTagCommit, type StoredAsset, type StoredComment, type StoredRelease } from "./state.ts";

/** The user that every token belongs to. */
export const login = "fake-maintainer";

export function repositoryPath({ repository: { owner, name } }: Pick<World, "repository">): string {
  return `/repos/${owner}/${name}`;
}

function showUser({ api, web }: Urls, name = login) {
  const url = `${api}/users/${name}`;
  return {
    login: name,
    id: 1,
    node_id: nodeId("User", 1),
    avatar_url: `${web}/avatars/${name}`,
    gravatar_id: "",
    url,
    html_url: `${web}/${name}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: "User",
    site_admin: false,
  };
}

export function showRelease(world: World, release: StoredRelease) {
  const { urls, store } = world;
  const base = repositoryPath(world);
  const path = `${base}/releases/${release.id}`;
  const isTagged = findTagCommit(store.state, release.tag) !== undefined;
  const archive = (kind: string) => (isTagged ? `${urls.api}${base}/${kind}/${release.tag}` : null);
  return {
    url: `${urls.api}${path}`,
    assets_url: `${urls.api}${path}/assets`,
    upload_url: `${urls.uploads}${path}/assets{?name,label}`,
    html_url: `${webPath(world)}/releases/tag/${readPageTag(release)}`,
    id: release.id,
    author: showUser(urls),
    node_id: nodeId("Release", release.id),
    tag_name: release.tag,
    target_commitish: release.target,
    name: release.name,
    draft: release.draft,
    immutable: release.immutable,
    prerelease: release.prerelease,
    created_at: release.createdAt,
    published_at: release.publishedAt,
    assets: release.assets.map((asset) => showAsset(world, release, asset)),
    tarball_url: archive("tarball"),
    zipball_url: archive("zipball"),
    body: release.body,
  };
}

export function showAsset(world: World, release: StoredRelease, asset: StoredAsset) {
  return {
    url: `${world.urls.api}${repositoryPath(world)}/releases/assets/${asset.id}`,
    id: asset.id,
    node_id: nodeId("ReleaseAsset", asset.id),
    name: asset.name,
    label: asset.label,
    uploader: showUser(world.urls),
    content_type: asset.contentType,
    state: asset.state,
    size: asset.sizeBytes,
    digest: asset.sha256 === null ? null : `sha256:${asset.sha256}`,
    download_count: 0,
    created_at: asset.createdAt,
    updated_at: asset.createdAt,
    browser_download_url: `${webPath(world)}/releases/download/${readPageTag(release)}/${asset.name}`,
  };
}

export function showRef(world: World, ref: string, { sha, type }: { sha: string; type: "commit" | "tag" }) {
  const git = `${world.urls.api}${repositoryPath(world)}/git`;
  return {
    ref,
    node_id: nodeId("Ref", ref),
    url: `${git}/${ref}`,
    object: { sha, type, url: `${git}/${type}s/${sha}` },
  };
}

export function showComment(world: World, comment: StoredComment) {
  const { api } = world.urls;
  const base = repositoryPath(world);
  return {
    url: `${api}${base}/issues/comments/${comment.id}`,
    html_url: `${webPath(world)}/pull/${comment.issue}#issuecomment-${comment.id}`,
    issue_url: `${api}${base}/issues/${comment.issue}`,
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    user: showUser(world.urls, comment.login),
    created_at: comment.createdAt,
    updated_at: comment.createdAt,
    body: comment.body,
    author_association: "OWNER",
  };
}

/** The description's own example, under this repository's name: nobody here looks at the other hundred fields. */
export function showRepository(world: World, mayWrite: boolean) {
  const { owner, name } = world.repository;
  const { value } = readDescription().components.examples["full-repository-default-response"]!;
  const text = JSON.stringify(value)
    .replaceAll("https://api.github.com", world.urls.api)
    .replaceAll("octocat/Hello-World", `${owner}/${name}`);
  const {
    template_repository: _,
    parent: __,
    source: ___,
    organization: ____,
    ...example
  } = JSON.parse(text);
  return {
    ...example,
    // The example leaves out what its own schema asks for.
    language: null,
    name,
    owner: showUser(world.urls, owner),
    permissions: { admin: false, maintain: false, push: mayWrite, triage: mayWrite, pull: true },
  };
}

export function webPath({ urls, repository: { owner, name } }: World): string {
  return `${urls.web}/${owner}/${name}`;
}

/** A draft has no page under its tag. */
function readPageTag({ draft, id, tag }: StoredRelease): string {
  return draft ? `untagged-${id.toString(16).padStart(20, "0")}` : tag;
}

export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`${kind}:${id}`).toString("base64");
}
