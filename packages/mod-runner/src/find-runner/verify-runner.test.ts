import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempDir } from "../../tests/temp-dir.ts";
import { verifyRunner } from "./verify-runner.ts";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("the file has to have the digest, also when it is changed later", async () => {
  const path = join(createTempDir(), "runner");
  writeFileSync(path, "one");
  const program = { path, source: "package" as const, sha256: digestOf("one") };
  await verifyRunner(program);
  await verifyRunner(program);
  writeFileSync(path, "two");
  await expect(verifyRunner(program)).rejects.toMatchObject({
    code: "runner_unavailable",
    message: `${path} is not the runner that was granted: its SHA-256 is ${digestOf("two")}, expected ${digestOf("one")}`,
    hint: expect.stringContaining("install again"),
  });
  // Where the option asks for it, an installation mends nothing.
  await expect(verifyRunner(program, program.sha256)).rejects.toMatchObject({
    hint: expect.stringContaining("the option runnerDigest"),
  });
});

test("one that a user has named without a digest is taken as it is", async () => {
  await verifyRunner({ path: "/nowhere", source: "option", sha256: undefined });
});

test("one that cannot be read is none", async () => {
  const program = { path: join(createTempDir(), "none"), source: "package" as const, sha256: digestOf("") };
  await expect(verifyRunner(program)).rejects.toMatchObject({ code: "runner_unavailable" });
});
