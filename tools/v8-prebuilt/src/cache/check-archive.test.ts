import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ToolError, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { checkArchive } from "./check-archive.ts";

const library = Buffer.concat([Buffer.from("!<arch>\n"), Buffer.alloc(100_000, "x")]);
const packed = gzipSync(library);
const otherChecksum = Buffer.from(packed);
otherChecksum[packed.length - 8]! ^= 1;

function check(content: Uint8Array, limitBytes?: number): Promise<string> {
  return withTempDir("codex-js-archive-test", async (dir) => {
    const file = join(dir, "file");
    await writeFile(file, content);
    try {
      await checkArchive(file, "FILE", limitBytes);
      return "whole";
    } catch (error) {
      if (error instanceof ToolError && error.code === "CODEX_JS_V8_DAMAGED_ARCHIVE") return error.message;
      throw error;
    }
  });
}

test.each([
  ["a library", packed, "whole"],
  ["half a gzip", packed.subarray(0, packed.length / 2), "FILE is no whole gzip: unexpected end of file"],
  ["a gzip without its end", packed.subarray(0, -4), "FILE is no whole gzip: unexpected end of file"],
  ["a gzip with another checksum", otherChecksum, "FILE is no whole gzip: incorrect data check"],
  ["something else", library, "FILE is no whole gzip: incorrect header check"],
  ["a gzip of something else", gzipSync("text"), "FILE does not hold a static library"],
  ["a gzip of nothing", gzipSync(""), "FILE does not hold a static library"],
])("%s", async (_name, content, result) => {
  expect(await check(content)).toBe(result);
});

test("unpacks no more than the limit", async () => {
  expect(await check(packed, library.length)).toBe("whole");
  expect(await check(packed, library.length - 1)).toBe("FILE unpacks to more than 100.0 kB");
});
