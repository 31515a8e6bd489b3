import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** `https://github.com/OWNER/NAME` of the package.json in `root`; undefined where it names no such page. */
export async function readRepositoryLink(root: string): Promise<string | undefined> {
  const { repository } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    repository?: { url?: string };
  };
  return /^(?:git\+)?(https:\/\/.+?)(?:\.git)?$/.exec(repository?.url ?? "")?.[1];
}
