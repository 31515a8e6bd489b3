import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findWorkspaceRoot } from "@codex-js/cli-kit";
import { expect, test } from "vitest";

const root = findWorkspaceRoot(import.meta.dirname);

// pnpm reads both and can take neither from the other.
test("nodeVersion and the catalog's node are one version", async () => {
  const text = await readFile(join(root, "pnpm-workspace.yaml"), "utf8");
  const nodeVersion = /^nodeVersion: (\S+)$/m.exec(text)?.[1];
  const catalog = /^ {4}node: (\S+)$/m.exec(text)?.[1];
  expect(nodeVersion).toMatch(/^\d+\.\d+\.\d+$/);
  expect(nodeVersion).toBe(catalog);
});

test("every catalog entry is an exact version", async () => {
  const text = await readFile(join(root, "pnpm-workspace.yaml"), "utf8");
  const catalogs = text.slice(text.indexOf("catalogs:"), text.indexOf("allowBuilds:"));
  const entries = [...catalogs.matchAll(/^ {4}("?)([^":#]+)\1: (.+)$/gm)];
  expect(entries.length).toBeGreaterThan(20);
  expect(
    entries.filter((entry) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(entry[3]!)).map((entry) => entry[0]),
  ).toEqual([]);
});
