import { expect, test } from "vitest";
import { createEngineEnv } from "./engine-env.ts";

test.each([
  ["npm", "CODEX_MANAGED_BY_NPM"],
  ["pnpm", "CODEX_MANAGED_BY_PNPM"],
  ["bun", "CODEX_MANAGED_BY_BUN"],
  ["vite-plus", "CODEX_MANAGED_BY_VITE_PLUS"],
] as const)("%s sets %s and takes every other marker away", (manager, marker) => {
  const env = {
    PATH: "/bin",
    CODEX_MANAGED_BY_NPM: "1",
    CODEX_MANAGED_BY_PNPM: "1",
    Codex_Managed_By_Bun: "1",
    CODEX_MANAGED_BY_VITE_PLUS: "1",
    CODEX_MANAGED_PACKAGE_ROOT: "/outer",
  };
  const before = { ...env };
  expect(createEngineEnv(env, manager, "/root")).toEqual({
    PATH: "/bin",
    CODEX_MANAGED_PACKAGE_ROOT: "/root",
    [marker]: "1",
  });
  expect(env).toEqual(before);
});
