import { expect, test } from "vitest";
import type { ManifestPackage } from "../pack/manifest.ts";
import { planWaves } from "./plan-waves.ts";

function pkg(name: string, dependsOn: string[] = [], platforms: string[] = []): ManifestPackage {
  return {
    name,
    version: "1.0.0",
    tag: "latest",
    filename: `${name}.tgz`,
    integrity: "",
    sha256: "",
    packedBytes: 1,
    unpackedBytes: 1,
    files: [],
    dependsOn,
    platforms,
  };
}

const names = (packages: ManifestPackage[]) =>
  planWaves(packages).map((wave) => wave.map(({ name }) => name));

test("platform packages all together and first, the others one by one after what they depend on", () => {
  const packages = [
    pkg("core"),
    pkg("tool-linux"),
    pkg("tool-windows"),
    pkg("tool", ["tool-linux", "tool-windows"], ["tool-linux", "tool-windows"]),
    pkg("app", ["core", "tool"]),
  ];
  expect(names(packages)).toEqual([["tool-linux", "tool-windows"], ["core"], ["tool"], ["app"]]);
});

test("a platform package that needs another one waits for it", () => {
  const packages = [
    pkg("core"),
    pkg("tool-linux", ["core"]),
    pkg("tool-windows"),
    pkg("tool", ["tool-linux", "tool-windows"], ["tool-linux", "tool-windows"]),
  ];
  expect(names(packages)).toEqual([["tool-windows"], ["core"], ["tool-linux"], ["tool"]]);
});

test("a dependency that is not part of the release is not waited for", () => {
  expect(names([pkg("app", ["elsewhere"])])).toEqual([["app"]]);
});
