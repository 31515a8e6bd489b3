import { chmodSync, constants, copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createModHost,
  HostOperationError,
  type ModHostEvent,
  type ModHostOptions,
} from "../../src/index.ts";
import { createTempDir } from "../temp-dir.ts";
import { realRunner } from "./real-runner.ts";

const manifest = '{"name":"any","version":"1.0.0","protocol":"1","hooks":{"main":"main.ts"}}';
const files = { "mod.json": manifest, "main.ts": "export default () => 42;" };

async function runOnce(options: ModHostOptions): Promise<unknown> {
  await using host = createModHost({ pool: { spare: 0 }, ...options });
  const mod = await host.load({ files });
  return (await mod.run("main", null)).value;
}

function fail(): never {
  throw new Error("not this one");
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

  test.each<[string, Partial<AbortSignal>]>([
    ["that cannot be listened to", { addEventListener: fail }],
    ["that cannot be left", { removeEventListener: fail }],
    [
      "without a reason",
      {
        addEventListener: (_: string, abort: () => void) => abort(),
        get reason() {
          return fail();
        },
      },
    ],
  ])("a signal %s keeps no runner, and none that waits for one", async (_, members) => {
    const quiet = { aborted: false, addEventListener() {}, removeEventListener() {} };
    const signal = Object.defineProperties(quiet, Object.getOwnPropertyDescriptors(members));
    const options = { signal: signal as unknown as AbortSignal };
    await using host = createModHost({ runnerPath: realRunner!, pool: { spare: 0, runners: 1 } });
    const mod = await host.load({ files });
    // The others wait for the first one's runner.
    await Promise.allSettled([1, 2, 3].map(() => mod.run("main", null, options)));
    expect(host.counts).toMatchObject({ busy: 0, waiting: 0 });
    expect((await mod.run("main", null)).value).toBe(42);
    await using server = await mod.serve();
    await Promise.allSettled([1, 2].map(() => server.render("main", null, options)));
    expect((await server.render("main", null)).value).toBe(42);
    await server.close();
    await Promise.allSettled([mod.serve(options).then((other) => other.close())]);
    expect((await mod.run("main", null)).value).toBe(42);
  });

  test("inputs and replies of any text go through; what the runner would refuse is refused before", async () => {
    const half = "a\ud800b";
    const hostile = JSON.parse('{"a":[{"__proto__":1}]}');
    const texts = { half, emoji: `${"x".repeat(8190)}😀`, wide: "é".repeat(9000) };
    const errors: unknown[] = [];
    await using host = createModHost({
      runnerPath: realRunner!,
      pool: { spare: 0 },
      grants: ["give", "fail"],
      operations: {
        give: (name) => (name === "half" ? { [half]: half } : hostile),
        fail: (name) => {
          const text = texts[name as keyof typeof texts];
          throw new HostOperationError(text, text);
        },
      },
      onEvent: (event) => {
        if (event.type === "operation-failed") errors.push(event.error);
      },
    });
    const mod = await host.load({
      files: {
        "mod.json": JSON.stringify({ ...JSON.parse(manifest), grants: ["give", "fail"] }),
        "main.ts": `export default async (input: any, host: any) => {
          if (!Array.isArray(input)) return input;
          try { return await host.call(...input); } catch (error: any) { return [error.code, error.message]; }
        };`,
      },
    });
    const run = async (input: unknown) => (await mod.run("main", input)).value;
    expect(await run({ [half]: half })).toEqual({ [half]: half });
    expect(await run(["give", "half"])).toEqual({ [half]: half });
    await expect(run(hostile)).rejects.toMatchObject({
      code: "invalid_argument",
      message: "the input cannot be sent: it has a key __proto__",
    });
    expect(await run(["give", "hostile"])).toEqual(["host_operation_failed", "give failed"]);
    expect(errors).toEqual([expect.objectContaining({ message: "it has a key __proto__" })]);
    expect(await run(["fail", "half"])).toEqual(["a\ufffdb", "a\ufffdb"]);
    expect(await run(["fail", "emoji"])).toEqual(["x".repeat(128), "x".repeat(8190)]);
    expect(await run(["fail", "wide"])).toEqual(["é".repeat(64), "é".repeat(4096)]);
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
