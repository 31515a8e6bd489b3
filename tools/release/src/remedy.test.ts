import { writeFileSync } from "node:fs";
import { exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { documentFile, type StepName } from "./documents.ts";
import { describeSteps, mendRemedy } from "./remedy.ts";

function inOutDir(documents: StepName[], use: (outDir: string) => void): Promise<void> {
  return withTempDir("codex-js-remedy", async (outDir) => {
    for (const step of documents) writeFileSync(documentFile(outDir, step), "{}");
    use(outDir);
  });
}

test.each<[StepName, StepName[], string]>([
  ["gates", ["plan", "build", "pack"], "pnpm release gates"],
  ["gates", ["plan", "pack"], "pnpm release build && pnpm release pack && pnpm release gates"],
  ["pack", ["plan", "build"], "pnpm release pack"],
  ["pack", ["plan"], "pnpm release build && pnpm release pack"],
  ["pack", [], "pnpm release plan && pnpm release build && pnpm release pack"],
  ["plan", [], "pnpm release plan"],
])("%s with %s left", (step, left, commands) =>
  inOutDir(left, (outDir) => expect(describeSteps(outDir, step)).toBe(commands)),
);

// Guards a remedy that named a step whose predecessor the run itself had removed.
test("changed tarballs are packed and gated again, from the first step that is gone", () =>
  inOutDir(["plan", "pack", "gates"], (outDir) => {
    const error = new ToolError({
      code: "CODEX_JS_RELEASE_TARBALL_CHANGED",
      message: "changed",
      hint: "?",
      exitCode: exitCodes.checkFailed,
    });
    expect(mendRemedy(error, outDir, false)).toMatchObject({
      message: "changed",
      hint: "pnpm release build && pnpm release pack && pnpm release gates",
    });
    expect(mendRemedy(error, outDir, true)).toMatchObject({ hint: "pnpm release" });
  }));
