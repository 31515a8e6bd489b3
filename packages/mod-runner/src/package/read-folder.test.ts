import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createTempDir } from "../../tests/temp-dir.ts";
import type { ModError } from "../errors.ts";
import { readFolder } from "./read-folder.ts";

function createFolder(files: Record<string, string | Uint8Array>): string {
  const dir = createTempDir();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

async function readProblem(dir: string): Promise<string> {
  const error = await readFolder(dir).then(
    () => undefined,
    (thrown: ModError) => thrown,
  );
  expect(error).toMatchObject({ name: "ModError", code: "mod_invalid" });
  return error!.message.replace(`${dir}: `, "");
}

const fine = { "mod.json": "{}", "a.ts": "1" };

test("takes modules and JSON at every level, and leaves the rest where it is", async () => {
  const dir = createFolder({
    ...fine,
    "lib/b.mts": "2",
    "lib/data.json": "[]",
    "README.md": "x",
    "node_modules/x/index.js": "no",
    ".git/config.json": "no",
    ".hidden.ts": "no",
  });
  expect(await readFolder(dir)).toEqual({
    folder: dir,
    files: { "mod.json": "{}", "a.ts": "1", "lib/b.mts": "2", "lib/data.json": "[]" },
  });
});

test("a folder that is reached through a link is its own", async () => {
  const dir = createFolder(fine);
  const link = join(createTempDir(), "link");
  symlinkSync(dir, link);
  expect((await readFolder(link)).folder).toBe(dir);
});

test("links are refused: to a file, to a folder, to nothing, of any name", async () => {
  const dir = createFolder(fine);
  symlinkSync("/etc/passwd", join(dir, "passwd.json"));
  symlinkSync("/etc", join(dir, "etc"));
  symlinkSync("nowhere", join(dir, "gone.txt"));
  expect(await readProblem(dir)).toBe(
    "etc is a link, expected a file; gone.txt is a link, expected a file; passwd.json is a link, expected a file",
  );
});

test("a FIFO and a socket are refused, and nobody waits for a writer", async () => {
  const dir = createFolder(fine);
  execFileSync("mkfifo", [join(dir, "fifo.json")]);
  const server = createServer().listen(join(dir, "socket.ts"));
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await readProblem(dir)).toBe(
      "fifo.json is a FIFO, expected a file; socket.ts is a socket, expected a file",
    );
  } finally {
    server.close();
  }
});

test("a file above the limit is not read to its end, whatever it has", async () => {
  const dir = createFolder({ ...fine, "big.ts": "" });
  truncateSync(join(dir, "big.ts"), 2 ** 40);
  expect(await readProblem(dir)).toBe("big.ts has more than 2097152 bytes");
});

test("all files together have a limit", async () => {
  const dir = createFolder(fine);
  for (let index = 0; index < 10; index += 1) {
    writeFileSync(join(dir, `m${index}.ts`), "");
    truncateSync(join(dir, `m${index}.ts`), 2_000_000);
  }
  expect(await readProblem(dir)).toBe("the files have more than 16777216 bytes");
});

test("invalid UTF-8, and names that the protocol does not have", async () => {
  const dir = createFolder({
    ...fine,
    "latin.ts": Uint8Array.of(0x22, 0xfc, 0x22),
    "per%20cent.ts": "",
    "a\\b.ts": "",
  });
  expect(await readProblem(dir)).toBe(
    '"a\\\\b.ts" has a control character, or one of \\ % : ? #; latin.ts is not UTF-8; ' +
      '"per%20cent.ts" has a control character, or one of \\ % : ? #',
  );
});

test("a folder that is not there, and a file in its place", async () => {
  const dir = createFolder(fine);
  expect(await readProblem(join(dir, "none"))).toBe(`there is no folder ${join(dir, "none")}`);
  expect(await readProblem(join(dir, "a.ts"))).toContain(
    "the mod is no folder: name the one that mod.json is in",
  );
});

test("where a folder that is not there was looked for is told", async () => {
  await expect(readFolder("mods/none")).rejects.toMatchObject({
    message: `there is no folder ${resolve("mods/none")}`,
    hint: expect.stringContaining(`is looked for in ${process.cwd()}`),
  });
  const absolute = join(createTempDir(), "none");
  await expect(readFolder(absolute)).rejects.toMatchObject({
    hint: `npx codex-js-mod init ${JSON.stringify(absolute)} writes a mod there`,
  });
});
