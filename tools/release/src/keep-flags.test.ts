import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { keepFlags } from "./keep-flags.ts";

const failed = (hint: string) =>
  new ToolError({ code: "CODEX_JS_RELEASE_STEP_MISSING", message: "m", hint, exitCode: exitCodes.usage });

const out = { port: 0, out: "my out" };

// Guards remedies that sent the user of --out into the default folder.
test.each([
  ["pnpm release pack", 'pnpm release pack --out "my out"'],
  [
    "pnpm release build && pnpm release pack",
    'pnpm release build --out "my out" && pnpm release pack --out "my out"',
  ],
  ["npx --yes pnpm release", 'npx --yes pnpm release --out "my out"'],
  ["run pnpm release again", 'run pnpm release --out "my out" again'],
  ["pnpm install", "pnpm install"],
])("%s", (hint, kept) => {
  const once = keepFlags(failed(hint), out);
  expect(once).toMatchObject({ code: "CODEX_JS_RELEASE_STEP_MISSING", message: "m", hint: kept });
  expect(keepFlags(once, out)).toMatchObject({ hint: kept });
});

test("every option that says where", () => {
  const options = {
    port: 0,
    to: "npm",
    out: "o",
    registryDir: "r",
    registry: "http://127.0.0.1:1/",
    githubApi: "http://127.0.0.1:2",
  };
  expect(keepFlags(failed("pnpm release publish"), options)).toMatchObject({
    hint: "pnpm release publish --to npm --out o --registry-dir r --registry http://127.0.0.1:1/ --github-api http://127.0.0.1:2",
  });
});

test("an error without a remedy of ours, and a run without options, stay as they are", () => {
  const error = new Error("pnpm release");
  expect(keepFlags(error, out)).toBe(error);
  const plain = failed("pnpm release");
  expect(keepFlags(plain, { port: 0 })).toBe(plain);
});
