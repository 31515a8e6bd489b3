import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readHost } from "@codex-js/platforms";
import { writePlatformPackage } from "@codex-js/platforms/testing";
import { describe, expect, test } from "vitest";
import { type Installation, installLauncher, run, runtimes } from "./launcher-process.ts";

const host = readHost();
const otherHost = {
  platform: host.platform === "linux" ? ("win32" as const) : ("linux" as const),
  arch: "x64",
};

/** Each way to break an installation, and the code that the message has to have. */
const faults: readonly [code: string, breakIt: (installation: Installation) => void][] = [
  ["OPTIONAL_OMITTED", () => {}],
  ["PACKAGE_MISSING", ({ packageRoot }) => rmSync(packageRoot, { recursive: true })],
  ["OTHER_PLATFORM", ({ nodeModules }) => void writePlatformPackage(nodeModules, { host: otherHost })],
  [
    "BINARY_MISSING",
    ({ nodeModules }) => void writePlatformPackage(nodeModules, { host, binary: undefined }),
  ],
  [
    "BINARY_DAMAGED",
    ({ nodeModules }) => void writePlatformPackage(nodeModules, { host, binary: "Not Found" }),
  ],
];

describe.each(runtimes)("$name", ({ command, isMissing }) => {
  const onRuntime = test.skipIf(isMissing);

  onRuntime.each(faults)("%s: one message, exit code 3, no stack trace", (code, breakIt) => {
    const installation = installLauncher({ withEngine: false });
    breakIt(installation);
    expectFailure(run([...command, installation.script, "--version"]), code);
  });

  test.skipIf(isMissing || process.platform === "win32")(
    "NOT_EXECUTABLE (Windows has no execute bit)",
    () => {
      const { script, nodeModules } = installLauncher({ withEngine: false });
      chmodSync(writePlatformPackage(nodeModules, { host }), 0o644);
      expectFailure(run([...command, script, "--version"]), "NOT_EXECUTABLE");
    },
  );
});

// Without Node's execve only: releases up to 24 abort where it fails, so the header is checked beforehand, and
// a header that is fine is all one can ask for.
const survivors = runtimes.filter(({ command, replacesProcess }) => !replacesProcess || command[0] === "bun");
test.skipIf(process.platform === "win32").for(survivors)(
  "START_FAILED on $name (a script is no program on Windows)",
  (runtime, { skip }) => {
    skip(runtime.isMissing, "no bun on PATH");
    const { script, nodeModules } = installLauncher({ withEngine: false });
    writePlatformPackage(nodeModules, { host, binary: `#!${join(nodeModules, "no-such-interpreter")}\n` });
    expectFailure(run([...runtime.command, script, "--version"]), "START_FAILED");
  },
);

function expectFailure(result: ReturnType<typeof run>, code: string): void {
  expect({ ...result, stderr: result.stderr.toString(), stdout: result.stdout.toString() }).toMatchObject({
    status: 3,
    stdout: "",
    stderr: expect.stringMatching(new RegExp(`^error: .+ \\(CODEX_JS_ENGINE_${code}\\)\\n {2}fix: .+\\n$`)),
  });
}
