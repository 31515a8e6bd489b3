import type { PlainAnswer, PlainRequest } from "../fault-plan/index.ts";
import type { World } from "./call.ts";
import { webPath } from "./shapes.ts";

/** Where pages for people would be. */
export const webPrefix = "/web";

/** The file behind an asset's `browser_download_url`; undefined for what is no such URL. */
export function findDownload(world: World, { method, url }: PlainRequest): PlainAnswer | undefined {
  if (!url.startsWith(`${webPrefix}/`)) return undefined;
  const start = `${new URL(webPath(world)).pathname}/releases/download/`;
  const rest = decodeURIComponent(url).slice(start.length);
  const { releases } = world.store.state;
  // A tag may have slashes.
  const release = releases.find(({ draft, tag }) => !draft && rest.startsWith(`${tag}/`));
  const name = rest.slice((release?.tag.length ?? 0) + 1);
  const asset = release?.assets.find((each) => each.name === name && each.state === "uploaded");
  const bytes = asset && world.store.readBytes(asset.id);
  if (bytes === undefined) return { status: 404, headers: {}, body: Buffer.from("Not Found") };
  const headers = { "content-type": "application/octet-stream", "content-length": bytes.length };
  return { status: 200, headers, body: method === "HEAD" ? Buffer.alloc(0) : bytes };
}
