import { expect, test } from "vitest";
import { run } from "../tests/launcher-process.ts";

const module = new URL("replace-process.ts", import.meta.url).href;

/** Replaces a process of its own, since a test runner would not survive it. */
function replaceInChild(prepare: string) {
  const script = `
    import { replaceProcess } from ${JSON.stringify(module)};
    ${prepare}
    replaceProcess({ executablePath: process.execPath, args: ["-p", "process.env.MARK"], env: { MARK: "replaced" } });
    console.log("still here", process.listenerCount("SIGPIPE"));`;
  const { stdout, stderr, status } = run([process.execPath, "--input-type=module", "-e", script]);
  return { stdout: stdout.toString(), stderr: stderr.toString(), status };
}

test.skipIf(!("execve" in process) || process.platform === "win32")(
  "the process becomes the engine, with its arguments and environment (where there is execve)",
  () => expect(replaceInChild("")).toEqual({ stdout: "replaced\n", stderr: "", status: 0 }),
);

test.each([
  ["has no such function", "delete process.execve;"],
  [
    "refuses",
    "process.execve = () => { process.emitWarning('experimental'); throw new Error('not here'); };",
  ],
])("a runtime that %s goes on as it was", (_, prepare) => {
  expect(replaceInChild(prepare)).toEqual({ stdout: "still here 0\n", stderr: "", status: 0 });
});
