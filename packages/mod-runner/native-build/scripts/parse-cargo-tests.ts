export interface RustTest {
  /** The program that it is in, as cargo names it: `crates/strip/src/lib.rs (unit)`. */
  program: string;
  name: string;
  status: "passed" | "failed" | "ignored";
  /** Why it is ignored, where the test itself has said so: with `SKIPPED: reason`, since Rust has no word for it. */
  reason?: string;
}

const statuses = { ok: "passed", FAILED: "failed", ignored: "ignored" } as const;

/**
 * Reads what `cargo test -- --show-output` has printed, both streams in one. A program of another harness counts as one test, which
 * has passed unless cargo says that it has not.
 */
export function parseCargoTests(output: string): RustTest[] {
  const tests: RustTest[] = [];
  const failed = new Set(
    [...output.matchAll(/^error: test failed, to rerun pass `(.+)`$/gm)].map(([, one]) => one!),
  );
  let program = "";
  let isCounted = true;
  let shown = "";
  const closeProgram = () => {
    if (isCounted || program === "") return;
    const hasFailed = [...failed].some((one) =>
      one.endsWith(`--test ${program.match(/(\w+)\/main\.rs/)?.[1]}`),
    );
    tests.push({ program, name: "all of it", status: hasFailed ? "failed" : "passed" });
  };
  for (const line of output.split("\n")) {
    const started = /^\s+(?:Running (?:unittests )?(.+?) \((.+)\)|Doc-tests (.+))$/.exec(line);
    if (started !== null) {
      closeProgram();
      const [, source, executable = "", docs] = started;
      program = docs === undefined ? `${readCrate(executable)} ${source}` : `${docs} documentation`;
      isCounted = docs !== undefined;
    }
    shown = /^---- (.+) stdout ----$/.exec(line)?.[1] ?? shown;
    const reason = /^SKIPPED: (.+)$/.exec(line)?.[1];
    const skipped = tests.findLast((test) => test.program === program && test.name === shown);
    if (reason !== undefined && skipped?.status === "passed") {
      Object.assign(skipped, { status: "ignored", reason });
    }
    if (/^running \d+ tests?$/.test(line)) isCounted = true;
    const result = /^test (.+?) \.\.\. (ok|FAILED|ignored)/.exec(line);
    if (result !== null) {
      const [, name, status] = result as unknown as [string, string, keyof typeof statuses];
      tests.push({ program, name, status: statuses[status] });
    }
  }
  closeProgram();
  return tests;
}

/** `target/debug/deps/probes-0123456789abcdef` */
function readCrate(executable: string): string {
  return /([\w-]+)-[0-9a-f]{16}/.exec(executable)?.[1] ?? executable;
}
