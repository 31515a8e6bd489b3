import { createHash } from "node:crypto";
import { error, notFound, page } from "../answers.ts";
import { type Answer, type Call, type Routes, readNumber, timestamp } from "../call.ts";
import { repositoryPath, showAsset } from "../shapes.ts";
import { type StoredAsset, type StoredRelease, takeId } from "../state.ts";
import { findRelease } from "./releases.ts";

export const assetRoutes: Routes = {
  "repos/list-release-assets": (call) => {
    const release = findRelease(call, readNumber(call, "release_id"));
    if (release === undefined) return notFound;
    const path = `${repositoryPath(call)}/releases/${release.id}/assets`;
    return page(call, release.assets, (asset) => showAsset(call, release, asset), path);
  },

  "repos/get-release-asset": (call) =>
    withAsset(call, (release, asset) => ({ status: 200, json: showAsset(call, release, asset) })),

  "repos/upload-release-asset": (call) => {
    const release = findRelease(call, readNumber(call, "release_id"));
    if (release === undefined) return notFound;
    if (call.bytes.length === 0) return error(400, "Bad Content-Length: ");
    const refusal = refuseUpload(call, release);
    if (refusal !== undefined) return refusal;
    const asset = addAsset(call, release, {
      state: "uploaded",
      sizeBytes: call.bytes.length,
      sha256: createHash("sha256").update(call.bytes).digest("hex"),
    });
    call.store.writeBytes(asset.id, call.bytes);
    call.store.save();
    return { status: 201, json: showAsset(call, release, asset) };
  },

  "repos/update-release-asset": (call) =>
    withAsset(call, (release, asset) => {
      const { name = asset.name, label = asset.label } = call.json as { name?: string; label?: string };
      if (release.immutable) return uploadProblem("immutable_release");
      Object.assign(asset, { name: renameAsset(name), label });
      call.store.save();
      return { status: 200, json: showAsset(call, release, asset) };
    }),

  "repos/delete-release-asset": (call) =>
    withAsset(call, (release, asset) => {
      if (release.immutable) return error(403, "Cannot delete asset from an immutable release");
      release.assets = release.assets.filter((each) => each !== asset);
      call.store.removeBytes(asset.id);
      call.store.save();
      return { status: 204 };
    }),
};

/** What is left of an upload whose connection broke: a name that is taken, and no content. */
export function keepStarter(call: Call): void {
  const release = findRelease(call, readNumber(call, "release_id"));
  if (release === undefined || refuseUpload(call, release) !== undefined) return;
  addAsset(call, release, { state: "starter", sizeBytes: 0, sha256: null });
  call.store.save();
}

/** GitHub's renaming, as its own command line knows it: https://github.com/cli/cli/blob/trunk/pkg/cmd/release/upload/upload.go. */
function renameAsset(name: string): string {
  const plain = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9\-_+@]+/gi, ".");
  return plain.replace(/^\.+|\.+$/g, "");
}

function refuseUpload({ query }: Call, release: StoredRelease): Answer | undefined {
  if (release.immutable) return uploadProblem("immutable_release");
  const name = renameAsset(query.get("name") ?? "");
  return release.assets.some((asset) => asset.name === name) ? uploadProblem("already_exists") : undefined;
}

/** The host for uploads has its own form of errors, with the request's number. */
function uploadProblem(code: string): Answer {
  return {
    status: 422,
    json: {
      message: "Validation Failed",
      request_id: "0000:00000:0000000:0000000:00000000",
      documentation_url: "https://docs.github.com/rest",
      errors: [{ resource: "ReleaseAsset", code, field: "name" }],
    },
  };
}

function addAsset(
  call: Call,
  release: StoredRelease,
  content: Pick<StoredAsset, "state" | "sizeBytes" | "sha256">,
): StoredAsset {
  const asset: StoredAsset = {
    id: takeId(call.store.state),
    name: renameAsset(call.query.get("name") ?? ""),
    label: call.query.get("label") ?? "",
    contentType: call.contentType,
    createdAt: timestamp(call),
    ...content,
  };
  release.assets.push(asset);
  return asset;
}

function withAsset(call: Call, use: (release: StoredRelease, asset: StoredAsset) => Answer): Answer {
  const id = readNumber(call, "asset_id");
  const release = call.store.state.releases.find(({ assets }) => assets.some((asset) => asset.id === id));
  const asset = release?.assets.find((each) => each.id === id);
  return release === undefined || asset === undefined ? notFound : use(release, asset);
}
