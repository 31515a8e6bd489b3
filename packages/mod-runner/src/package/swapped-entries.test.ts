import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createTempDir } from "../../tests/temp-dir.ts";

// What another process would do at the worst moment: between the listing and the opening.
const swap = vi.hoisted(() => ({ afterListing: () => {} }));
vi.mock("node:fs/promises", async (original) => {
  const actual = await original<typeof import("node:fs/promises")>();
  const readdir = async (...args: Parameters<typeof actual.readdir>) => {
    const entries = await actual.readdir(...args);
    swap.afterListing();
    return entries;
  };
  return { ...actual, readdir };
});
const { readFolder } = await import("./read-folder.ts");

function createFolder(): { dir: string; outside: string } {
  const [dir, outside] = [createTempDir(), createTempDir()];
  mkdirSync(join(dir, "lib"));
  for (const path of [join(dir, "mod.json"), join(dir, "a.json"), join(dir, "lib/b.json")])
    writeFileSync(path, "1");
  writeFileSync(join(outside, "b.json"), '"secret"');
  return { dir, outside };
}

test("a file that becomes a link after it was listed is refused", async () => {
  const { dir, outside } = createFolder();
  swap.afterListing = () => {
    swap.afterListing = () => {};
    renameSync(join(dir, "a.json"), join(dir, ".a"));
    symlinkSync(join(outside, "b.json"), join(dir, "a.json"));
  };
  await expect(readFolder(dir)).rejects.toMatchObject({
    code: "mod_invalid",
    message: `${dir}: a.json is a link`,
  });
});

test("so is a folder", async () => {
  const { dir, outside } = createFolder();
  swap.afterListing = () => {
    swap.afterListing = () => {};
    renameSync(join(dir, "lib"), join(dir, ".lib"));
    symlinkSync(outside, join(dir, "lib"));
  };
  await expect(readFolder(dir)).rejects.toMatchObject({ message: `${dir}: lib is a link` });
});

// Only Linux opens through the folder that was checked; macOS refuses links in the whole path.
test.skipIf(process.platform !== "linux")(
  "a folder that is swapped after it was opened is still the one that was",
  async () => {
    const { dir, outside } = createFolder();
    let listings = 0;
    swap.afterListing = () => {
      listings += 1;
      if (listings !== 2) return;
      renameSync(join(dir, "lib"), join(dir, ".lib"));
      symlinkSync(outside, join(dir, "lib"));
    };
    const { files } = await readFolder(dir);
    expect(files["lib/b.json"]).toBe("1");
  },
);
