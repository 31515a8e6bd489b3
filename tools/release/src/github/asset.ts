import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { exitCodes } from "@codex-js/cli-kit";
import { toAssetName } from "./asset-name.ts";
import { checkUrl } from "./check-url.ts";
import { callGithub, callGithubIfThere, type GithubClient } from "./client.ts";
import { GithubError } from "./github-error.ts";
import { parseAsset, parseAssets } from "./parse-answer.ts";
import { settle } from "./settle.ts";
import type { EnsureAssetRequest, GithubAsset, GithubAssetPlan, GithubChange } from "./types.ts";

export async function ensureAsset(
  client: GithubClient,
  request: EnsureAssetRequest,
): Promise<{ asset: GithubAsset; change: GithubChange }> {
  requireKeptName(request.name);
  let isReplaced = false;
  let isSent = false;
  const replace = async (asset: GithubAsset) => {
    client.log(`GitHub: removing ${asset.name}, which is not there in full`);
    await deleteAsset(client, asset);
    isReplaced = true;
    return undefined;
  };
  const { value, isWritten } = await settle(client, {
    what: `upload ${request.name}`,
    observe: async () => {
      const there = await readAsset(client, request);
      if (there === undefined || isSame(there, request)) return there;
      if (there.state === "starter") return replace(there);
      // What has come of our own upload may be replaced; anything else is not ours.
      if (isSent) return replace(there);
      throw createDiffersError(request, there);
    },
    write: async () => {
      if (request.release.immutable) throw createImmutableError(request);
      const bytes = await readFileAsPlanned(request);
      isSent = true;
      const asset = await upload(client, request, bytes);
      if (!isSame(asset, request)) throw createCorruptError(request, asset);
      return asset;
    },
  });
  return { asset: value, change: isReplaced ? "replaced" : isWritten ? "created" : "none" };
}

async function readAsset(
  client: GithubClient,
  { release, name }: EnsureAssetRequest,
): Promise<GithubAsset | undefined> {
  const { octokit, at } = client;
  const assets = await callGithub(client, `list the assets of ${release.tag}`, async () =>
    parseAssets(
      await octokit.paginate(octokit.repos.listReleaseAssets, {
        ...at,
        release_id: release.id,
        per_page: 100,
      }),
    ),
  );
  return assets.find((asset) => asset.name === name);
}

async function upload(
  client: GithubClient,
  request: EnsureAssetRequest,
  bytes: Buffer,
): Promise<GithubAsset> {
  const { octokit, at, uploadUrl } = client;
  const { release, name } = request;
  const base =
    uploadUrl === undefined
      ? checkUrl(release.uploadUrl)
      : `${uploadUrl}/repos/${at.owner}/${at.repo}/releases/${release.id}/assets`;
  return callGithub(client, `upload ${name}`, async () => {
    const { data } = await octokit.request("POST {+base}{?name}", {
      base,
      name,
      data: bytes,
      headers: { "content-type": "application/octet-stream", "content-length": bytes.length },
    });
    return parseAsset(data);
  });
}

async function deleteAsset(client: GithubClient, { id, name }: GithubAsset): Promise<void> {
  const { octokit, at } = client;
  await callGithubIfThere(client, `remove the asset ${name}`, () =>
    octokit.repos.deleteReleaseAsset({ ...at, asset_id: id }),
  );
}

export function isSame(asset: GithubAsset, plan: GithubAssetPlan): boolean {
  return asset.state === "uploaded" && asset.sizeBytes === plan.sizeBytes && asset.sha256 === plan.sha256;
}

async function readFileAsPlanned({ path, sizeBytes, sha256 }: GithubAssetPlan): Promise<Buffer> {
  const bytes = await readFile(path);
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual === sha256 && bytes.length === sizeBytes) return bytes;
  throw new GithubError({
    condition: "ASSET_FILE_CHANGED",
    message: `${path} is not what was planned: ${bytes.length} bytes, sha256 ${actual}, expected ${sizeBytes} bytes, ${sha256}`,
    hint: "pack again, or put the file back that was packed",
    exitCode: exitCodes.checkFailed,
  });
}

function requireKeptName(name: string): void {
  const kept = toAssetName(name);
  if (kept === name && name !== "") return;
  throw new GithubError({
    condition: "ASSET_NAME",
    message: `GitHub would not keep the asset's name ${name}, but call it ${kept || "something else"}`,
    hint: "name it with letters, digits and ._-+@ only, neither beginning nor ending with a dot",
    exitCode: exitCodes.usage,
  });
}

export function createDiffersError(plan: GithubAssetPlan, there: GithubAsset): GithubError {
  const digest = there.sha256 ?? "unknown, GitHub gives none";
  return new GithubError({
    condition: "ASSET_DIFFERS",
    message: `the asset ${plan.name} has other bytes: ${there.sizeBytes} bytes, sha256 ${digest}, expected ${plan.sizeBytes} bytes, ${plan.sha256}`,
    hint: "see whose it is; where it is not meant to stay, delete it from the release, and run the same command again",
    exitCode: exitCodes.checkFailed,
  });
}

function createCorruptError(plan: GithubAssetPlan, there: GithubAsset): GithubError {
  return new GithubError({
    condition: "ASSET_CORRUPT",
    message: `the upload of ${plan.name} arrived as ${there.sizeBytes} bytes, sha256 ${there.sha256}, expected ${plan.sizeBytes} bytes, ${plan.sha256}`,
    hint: "something on the way to GitHub changes what is sent: try from another network",
    exitCode: exitCodes.external,
    passing: true,
  });
}

function createImmutableError({ name, release }: EnsureAssetRequest): GithubError {
  return new GithubError({
    condition: "IMMUTABLE",
    message: `the release ${release.tag} lacks ${name} and is immutable`,
    hint: "an immutable release cannot be mended, and its tag not be used again: release the next version",
    exitCode: exitCodes.checkFailed,
  });
}
