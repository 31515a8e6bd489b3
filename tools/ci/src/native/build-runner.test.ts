import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProcessContext, runProcess, withTempDir } from "@codex-js/cli-kit";
import { findHostTarget, findRustToolchain, pickRustEnv, readNativeHost } from "@codex-js/v8-prebuilt";
import { expect, test } from "vitest";
import { buildRunner } from "./build-runner.ts";

const env = pickRustEnv(process.env);
const context = createProcessContext(new AbortController().signal);
const noRust = await findRustToolchain(context).then(
  () => undefined,
  (error: Error) => error.message,
);

/** The packages of the runner's workspace, without V8: what is built does not matter, how it is does. */
const crate = (name: string) => `[package]
name = "${name}"
version = "0.0.0"
edition = "2024"
`;
const files = {
  "Cargo.toml": '[workspace]\nresolver = "3"\nmembers = ["notices", "runner", "sandbox", "snapshot"]\n',
  "Cargo.lock": `version = 4

[[package]]
name = "codex-js-notices"
version = "0.0.0"

[[package]]
name = "codex-js-runner"
version = "0.0.0"

[[package]]
name = "codex-js-sandbox"
version = "0.0.0"

[[package]]
name = "codex-js-snapshot"
version = "0.0.0"
`,
  ".cargo/config.toml": '[env]\nCODEX_JS_SNAPSHOT = { value = "target/snapshot.bin", relative = true }\n',
  "snapshot/Cargo.toml": crate("codex-js-snapshot"),
  "snapshot/src/main.rs": `fn main() {
    let file = std::env::args().nth(1).expect("a file");
    std::fs::write(file, b"the snapshot").expect("written");
}
`,
  "sandbox/Cargo.toml": crate("codex-js-sandbox"),
  "sandbox/src/main.rs": "fn main() {}\n",
  "notices/Cargo.toml": crate("codex-js-notices"),
  "notices/src/main.rs": `fn main() {
    let file = std::env::args().nth(1).expect("a file");
    std::fs::write(file, b"the notices").expect("written");
}
`,
  "runner/Cargo.toml": `${crate("codex-js-runner")}
[[bin]]
name = "codex-js-mod-runner"
path = "src/main.rs"
`,
  "runner/src/main.rs": `static SNAPSHOT: &str = include_str!(env!("CODEX_JS_SNAPSHOT"));
fn main() {
    println!("{SNAPSHOT}");
}
`,
};

async function makeCrate(dir: string, changes: Record<string, string> = {}): Promise<void> {
  for (const [path, text] of Object.entries({ ...files, ...changes })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

test.skipIf(noRust !== undefined)(
  "cargo's program lies in the folder with its digest, and runs",
  async () => {
    await withTempDir("codex-js-native", async (dir) => {
      const [crateDir, outputDir] = [join(dir, "native"), join(dir, "out", "linux-x64")];
      await makeCrate(crateDir);
      const { triple } = findHostTarget(readNativeHost());
      const build = { crateDir, triple, outputDir, env, signal: context.signal };
      const manifest = await buildRunner(build);
      const program = join(outputDir, "codex-js-mod-runner");
      expect(manifest).toEqual({
        version: 1,
        program: "codex-js-mod-runner",
        triple,
        sha256: createHash("sha256")
          .update(await readFile(program))
          .digest("hex"),
      });
      expect(JSON.parse(await readFile(join(outputDir, "runner.json"), "utf8"))).toEqual(manifest);
      expect((await stat(program)).mode & 0o111).toBe(0o111);
      expect((await runProcess(program, [], { cwd: dir, env })).stdout).toBe("the snapshot\n");

      expect(await readFile(join(outputDir, "THIRD-PARTY-NOTICES.txt"), "utf8")).toBe("the notices");

      // A build that fails leaves what an earlier one has made.
      await makeCrate(crateDir, { "runner/src/main.rs": "fn main() { broken }" });
      await expect(buildRunner(build)).rejects.toMatchObject({
        code: "CODEX_JS_PROCESS_FAILED",
        message: expect.stringContaining("broken"),
      });
      expect(await readdir(dirname(outputDir))).toEqual(["linux-x64"]);
      expect(JSON.parse(await readFile(join(outputDir, "runner.json"), "utf8"))).toEqual(manifest);
    });
  },
);
