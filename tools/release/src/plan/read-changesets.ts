import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseChangesetFile } from "@changesets/parse";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

const notChangesets = new Set(["readme.md", "agents.md", "claude.md", "gemini.md"]);

/**
 * Reads every pending changeset before changesets itself does, because its own errors name no file and end
 * with the first one.
 * @throws ToolError CODEX_JS_RELEASE_BAD_CHANGESET (usage) listing each file and what is wrong with it
 */
export async function checkChangesets(root: string, packageNames: readonly string[]): Promise<void> {
  const problems: string[] = [];
  for (const file of await listChangesetFiles(root)) {
    const text = await readFile(file, "utf8");
    problems.push(
      ...checkChangeset(text, packageNames).map((problem) => `${relative(root, file)}: ${problem}`),
    );
  }
  if (problems.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_BAD_CHANGESET",
    message: `${problems.length === 1 ? "a changeset is" : `${problems.length} changesets are`} wrong\n${problems
      .map((problem) => `  ${problem}`)
      .join("\n")}`,
    hint: `mend the file, or delete it and write it anew with \`pnpm changeset\`; packages are ${packageNames.join(", ")}`,
    exitCode: exitCodes.usage,
  });
}

/** What is wrong with one changeset, one sentence each. */
export function checkChangeset(text: string, packageNames: readonly string[]): string[] {
  try {
    const { releases } = parseChangesetFile(text);
    return releases
      .filter(({ name }) => !packageNames.includes(name))
      .map(({ name }) => `${JSON.stringify(name)} is no public package of this workspace`);
  } catch (error) {
    const [what = ""] = (error as Error).message.split("\n", 1);
    return [what.replace(/^could not parse changeset - /, "").replace(/\.$/, "")];
  }
}

async function listChangesetFiles(root: string): Promise<string[]> {
  const folder = join(root, ".changeset");
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new ToolError({
      code: "CODEX_JS_RELEASE_NO_CHANGESETS",
      message: `${folder} cannot be read`,
      hint: "pnpm changeset init",
      exitCode: exitCodes.usage,
      cause,
    });
  });
  const pre = await readdir(join(folder, "pre")).catch(() => []);
  return [...names, ...pre.map((name) => join("pre", name))]
    .filter((name) => name.endsWith(".md") && !notChangesets.has(name.toLowerCase()))
    .sort()
    .map((name) => join(folder, name));
}
