import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import { findSection, readReleaseNotes } from "./release-notes.ts";

test("the section of one version, up to the next one", () => {
  const text = "# a\r\n\r\n## 1.1.0\r\n\r\n### Minor Changes\r\n\r\n- New\r\n\r\n## 1.0.0\r\n\r\n- Old\r\n";
  expect(findSection(text, "1.1.0")).toBe("### Minor Changes\n\n- New");
  expect(findSection(text, "1.0.0")).toBe("- Old");
  expect(findSection(text, "1.0")).toBe("");
});

test("packages with something to say, without their platform packages", () =>
  withTempDir("codex-js-notes", async (root) => {
    for (const name of ["tool", "tool-linux-x64"]) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "CHANGELOG.md"), `# ${name}\n\n## 1.0.0\n\n- Of ${name}\n`);
    }
    const packages = [planned("core"), planned("tool-linux-x64"), planned("tool", ["tool-linux-x64"])];
    const plan: ReleasePlan = { version: 1, commit: "0".repeat(40), dirty: false, target: "npm", packages };
    expect(await readReleaseNotes(root, plan)).toBe("## tool\n\n- Of tool");
    expect(await readReleaseNotes(root, { ...plan, packages: [planned("core")] })).toBe(
      "No changes for users.",
    );
  }));

function planned(name: string, platforms: string[] = []): PlannedPackage {
  return {
    name,
    dir: name,
    from: "1.0.0",
    to: "1.0.0",
    reason: "current",
    changesets: [],
    tag: "latest",
    dependsOn: platforms,
    platforms,
    registry: { state: "absent" },
  };
}
