import { chmodSync, constants, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createModHost, type ModHostEvent, type ModHostOptions } from "../../src/index.ts";
import { createTempDir } from "../temp-dir.ts";
import { realRunner } from "./real-runner.ts";

const manifest = '{"name":"any","version":"1.0.0","protocol":"1","hooks":{"main":"main.ts"}}';
const files = { "mod.json": manifest, "main.ts": "export default () => 42;" };

async function runOnce(options: ModHostOptions): Promise<unknown> {
  await using host = createModHost({ pool: { spare: 0 }, ...options });
  const mod = await host.load({ files });
  return (await mod.run("main", null)).value;
}

function copyRunner(): string {
  const copy = join(createTempDir(), "codex-js-mod-runner");
  copyFileSync(realRunner!, copy, constants.COPYFILE_FICLONE);
  return copy;
}

test("a folder without a manifest is no mod", async () => {
  const dir = createTempDir();
  writeFileSync(join(dir, "main.ts"), files["main.ts"]);
  await using host = createModHost({ pool: { spare: 0 } });
  await expect(host.load(dir)).rejects.toMatchObject({
    code: "mod_invalid",
    message: `there is no ${join(dir, "mod.json")}`,
  });
});

describe.skipIf(realRunner === undefined)("a real runner", () => {
  test("without its exec bit is not started, and how to mend it is told", async () => {
    const runnerPath = copyRunner();
    chmodSync(runnerPath, 0o644);
    await expect(runOnce({ runnerPath })).rejects.toMatchObject({
      code: "runner_unavailable",
      message: expect.stringContaining("may not be executed (chmod +x"),
    });
  });

  test.skipIf(process.platform !== "linux")("for another C library is not started", async () => {
    const runnerPath = copyRunner();
    const program = readFileSync(runnerPath);
    const loader = /\/lib[\w./-]*\/ld-[\w.-]+/.exec(program.subarray(0, 65_536).toString("latin1"))!;
    const nowhere = loader[0].replace(/ld-\w/, "ld-_");
    program.write(nowhere, loader.index, "latin1");
    writeFileSync(runnerPath, program);
    await expect(runOnce({ runnerPath })).rejects.toMatchObject({
      code: "runner_unavailable",
      message: expect.stringContaining(`needs ${nowhere}, which this machine does not have`),
    });
  });

  const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));

  describe.skipIf(process.platform !== "linux" || python === undefined)(
    "on a kernel without Landlock",
    () => {
      const createWrapper = () => {
        const path = join(createTempDir(), "runner");
        const filter = join(import.meta.dirname, "without-landlock.py");
        // `exec`: the runner is this very process, and its host's child.
        writeFileSync(path, `#!/bin/sh\nexec '${python}' '${filter}' '${realRunner}' "$@"\n`, {
          mode: 0o755,
        });
        return path;
      };

      test("is not started where the sandbox is required", async () => {
        await expect(runOnce({ runnerPath: createWrapper() })).rejects.toMatchObject({
          code: "sandbox_unavailable",
          message: expect.stringMatching(/landlock/i),
        });
      });

      test("has the rest of it where that is enough, and says what is missing", async () => {
        const events: ModHostEvent[] = [];
        const value = await runOnce({
          runnerPath: createWrapper(),
          sandbox: "best-effort",
          onEvent: (event) => events.push(event),
        });
        expect(value).toBe(42);
        expect(events[0]).toMatchObject({
          type: "runner-started",
          sandbox: {
            mode: "best-effort",
            enforced: { landlock: { status: "not-built" }, seccomp: { filters: expect.any(Number) } },
          },
        });
      });
    },
  );
});
