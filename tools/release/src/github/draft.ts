import { exitCodes } from "@codex-js/cli-kit";
import { callGithub, callGithubIfThere, type GithubClient } from "./client.ts";
import { GithubError } from "./github-error.ts";
import { parseRelease, parseReleases } from "./parse-answer.ts";
import { settle } from "./settle.ts";
import type { GithubChange, GithubDraftPlan, GithubRelease, GithubState } from "./types.ts";

/** The release of a tag: a draft has no address under its tag, it is only found in the list of all. */
export async function readReleases(
  client: GithubClient,
  tag: string,
): Promise<Pick<GithubState, "release" | "otherDrafts">> {
  const { octokit, at } = client;
  const published = await callGithubIfThere(client, `read the release ${tag}`, async () =>
    parseRelease((await octokit.repos.getReleaseByTag({ ...at, tag })).data),
  );
  if (published !== undefined) return { release: published, otherDrafts: [] };
  const [release, ...otherDrafts] = await readDrafts(client, tag);
  return { release, otherDrafts };
}

/** Oldest first. What the list knows as published and the look-up by tag does not yet, comes before. */
async function readDrafts(client: GithubClient, tag: string): Promise<GithubRelease[]> {
  const { octokit, at } = client;
  const all = await callGithub(client, "list the releases", async () =>
    parseReleases(await octokit.paginate(octokit.repos.listReleases, { ...at, per_page: 100 })),
  );
  const rank = ({ state }: GithubRelease) => (state === "published" ? 0 : 1);
  return all.filter((release) => release.tag === tag).sort((a, b) => rank(a) - rank(b) || a.id - b.id);
}

export async function ensureDraft(
  client: GithubClient,
  plan: GithubDraftPlan,
): Promise<{ release: GithubRelease; change: GithubChange }> {
  const { octokit, at } = client;
  const { tag: tag_name, name, body, prerelease } = plan;
  const what = `make a draft of the release ${plan.tag}`;
  const { value, isWritten } = await settle(client, {
    what,
    observe: () => readOneRelease(client, plan),
    write: () =>
      callGithub(client, what, async () =>
        parseRelease(
          (await octokit.repos.createRelease({ ...at, tag_name, name, body, prerelease, draft: true })).data,
        ),
      ),
  });
  if (isWritten) return { release: value, change: "created" };
  if (value.state === "published" || hasText(value, plan)) return { release: value, change: "none" };
  return { release: await updateDraft(client, value, plan), change: "updated" };
}

/** The same text twice is an answer that was lost; the later ones go. */
async function readOneRelease(
  client: GithubClient,
  plan: GithubDraftPlan,
): Promise<GithubRelease | undefined> {
  const { release, otherDrafts } = await readReleases(client, plan.tag);
  const foreign = otherDrafts.find((draft) => !hasText(draft, plan));
  if (release !== undefined && foreign !== undefined) throw createAmbiguousError(plan.tag, release, foreign);
  await removeDrafts(client, otherDrafts);
  return release;
}

export async function removeDrafts(client: GithubClient, drafts: readonly GithubRelease[]): Promise<void> {
  const { octokit, at } = client;
  for (const { id, tag } of drafts) {
    client.log(`GitHub: removing a second draft of ${tag}`);
    await callGithubIfThere(client, `remove a second draft of ${tag}`, () =>
      octokit.repos.deleteRelease({ ...at, release_id: id }),
    );
  }
}

async function updateDraft(
  client: GithubClient,
  { id }: GithubRelease,
  plan: GithubDraftPlan,
): Promise<GithubRelease> {
  const { octokit, at } = client;
  const { name, body, prerelease } = plan;
  const what = `change the draft of ${plan.tag}`;
  let isAsked = false;
  const { value } = await settle(client, {
    what,
    observe: async () => {
      if (!isAsked) return undefined;
      const now = await readRelease(client, id);
      return hasText(now, plan) ? now : undefined;
    },
    write: () => {
      isAsked = true;
      return callGithub(client, what, async () =>
        parseRelease(
          (await octokit.repos.updateRelease({ ...at, release_id: id, name, body, prerelease })).data,
        ),
      );
    },
  });
  return value;
}

/** @throws GithubError `…_DRAFT_GONE` (check failed) */
export async function readRelease(client: GithubClient, id: number): Promise<GithubRelease> {
  const { octokit, at } = client;
  const found = await callGithubIfThere(client, `read the release ${id}`, async () =>
    parseRelease((await octokit.repos.getRelease({ ...at, release_id: id })).data),
  );
  if (found !== undefined) return found;
  throw new GithubError({
    condition: "DRAFT_GONE",
    message: `the release ${id} is not there any more`,
    hint: "run the same command again: it makes a new draft",
    exitCode: exitCodes.checkFailed,
  });
}

export function hasText(release: GithubRelease, plan: GithubDraftPlan): boolean {
  return (
    release.name === plan.name &&
    // GitHub keeps line ends as they came, people's browsers send CRLF.
    release.body.replaceAll("\r\n", "\n") === plan.body.replaceAll("\r\n", "\n") &&
    release.prerelease === plan.prerelease
  );
}

export function createAmbiguousError(tag: string, one: GithubRelease, other: GithubRelease): GithubError {
  return new GithubError({
    condition: "DRAFT_AMBIGUOUS",
    message: `there are several drafts of ${tag} with different texts: ${one.htmlUrl} and ${other.htmlUrl}`,
    hint: "delete those that are not this release's, then run the same command again",
    exitCode: exitCodes.checkFailed,
  });
}
