import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { resolveLayout } from "../layout.ts";
import type { BuildRecord } from "./build-record.ts";
import { requireStaged } from "./require-staged.ts";

const packages = [
  { name: "a", version: "1.0.0" },
  { name: "b", version: "2.0.0" },
];
const wanted = packages.toReversed();

test("a build is worked from only where it is and what it is", () =>
  withTempDir("codex-js-staged", async (dir) => {
    const layout = resolveLayout(dir, join(dir, "out"));
    const { stagingDir } = layout;
    const build: BuildRecord = { version: 1, commit: "c", dirty: false, stagingDir, packages };
    const check = (change: Partial<BuildRecord>) => () =>
      requireStaged(layout, { ...build, ...change }, wanted);
    expect(check({})).toThrow(/staging copy .* is gone/);
    mkdirSync(stagingDir, { recursive: true });
    writeFileSync(join(stagingDir, "package.json"), "{}");
    expect(check({})).not.toThrow();
    expect(check({ stagingDir: dir })).toThrow(`the build is in ${dir}`);
    expect(check({ packages: packages.slice(1) })).toThrow("what was built is b@2.0.0");
    expect(check({ packages: [packages[0]!, { name: "b", version: "2.0.1" }] })).toThrow("b@2.0.1");
  }));
