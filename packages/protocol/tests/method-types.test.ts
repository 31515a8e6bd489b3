import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { methodTypesFile, writeMethodTypes } from "../scripts/method-types.ts";

const generated = join(dirname(dirname(fileURLToPath(import.meta.url))), "generated");

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "codex-js-method-types-"));
  await cp(generated, dir, { recursive: true });
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));

const edit = async (file: string, change: (text: string) => string) =>
  writeFile(join(dir, file), change(await readFile(join(dir, file), "utf8")));

test("every method of the pinned engine has a response type", async () => {
  await writeMethodTypes(dir);
  const text = await readFile(join(dir, methodTypesFile), "utf8");
  expect(text).toBe(await readFile(join(generated, methodTypesFile), "utf8"));
  expect(text).toContain('"turn/start": TurnStartResponse;');
  expect(text).toContain('"account/logout": LogoutAccountResponse;');
  expect(text).toContain('"item/fileChange/requestApproval": FileChangeRequestApprovalResponse;');
});

test("a method without a response type fails, with everything else that no longer fits", async () => {
  await edit("ClientRequest.ts", (text) =>
    text
      .replace(
        "export type ClientRequest =",
        '$&{ "method": "thread/dance", id: RequestId, params: undefined, } |',
      )
      .replace('"account/logout"', '"account/leave"'),
  );
  await rm(join(dir, "v2", "ThreadReadResponse.ts"));
  await writeFile(join(dir, "v2", "ThreadDanceResponse.ts"), "export type ThreadDanceResponse = null;");
  await expect(writeMethodTypes(dir)).rejects.toThrow(
    [
      "response types of the protocol:",
      "thread/dance has no response type",
      "thread/read has no response type",
      "account/leave has no response type",
      "account/logout is in the list but not in the protocol",
      "LogoutAccountResponse answers no method",
      "ThreadDanceResponse answers no method",
    ].join("\n  "),
  );
});

test("a layout that the reader does not understand fails instead of losing methods", async () => {
  await edit("ServerRequest.ts", (text) => text.replace("id: RequestId, params", "id: RequestId , params"));
  await expect(writeMethodTypes(dir)).rejects.toThrow(/10 methods, of which 9 could be read/);
});
