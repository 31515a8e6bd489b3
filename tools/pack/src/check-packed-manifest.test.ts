import { expect, test } from "vitest";
import { checkPackedManifest } from "./check-packed-manifest.ts";
import type { PackageManifest, PackedFile, PackedTarball } from "./types.ts";

const root = { license: "Apache-2.0", repository: { type: "git", url: "git+https://example.com/r.git" } };
const manifest: PackageManifest = {
  name: "a",
  version: "1.0.0",
  license: "Apache-2.0",
  repository: { ...root.repository, directory: "packages/a" },
  engines: { node: ">=20" },
  files: ["dist"],
  bin: "./dist/a.js",
  exports: {
    ".": { types: "./dist/a.d.ts", default: ["./dist/a.js"] },
    "./parts/*": "./dist/parts/*.js",
    "./private": null,
    "./package.json": "./package.json",
  },
  dependencies: { engine: "1.0.0" },
};
const file = (path: string, rest: Partial<PackedFile> = {}): PackedFile => ({
  path,
  sizeBytes: 1,
  mode: 0o644,
  ...rest,
});
const bin = file("dist/a.js", { mode: 0o755, hashbang: "#!/usr/bin/env node" });
const files = [
  file("LICENSE"),
  file("README.md"),
  file("dist/a.d.ts"),
  bin,
  file("dist/parts/deep/one.js"),
  file("package.json"),
];

function check(changes: Partial<PackageManifest>, packed: PackedFile[] = files): string[] {
  const tarball: PackedTarball = {
    name: "a",
    version: "1.0.0",
    file: "/a.tgz",
    filename: "a.tgz",
    integrity: "sha512-",
    sha256: "",
    packedBytes: 1,
    unpackedBytes: 1,
    files: packed,
    manifest: { ...manifest, ...changes },
  };
  return checkPackedManifest(tarball, root).map(({ package: name, code, message }) => {
    expect(name).toBe("a");
    return `${code.replace("CODEX_JS_PACK_", "")}: ${message}`;
  });
}

const without = (path: string) => files.filter((one) => one.path !== path);

test("a good package has no problems", () => {
  expect(check({})).toEqual([]);
});

// scaleway-sdk-js#2071: `workspace:` leaked into a published manifest.
test("a range that only the workspace can resolve is found wherever it stands", () => {
  expect(
    check({
      dependencies: { b: "workspace:*", c: "npm:d@catalog:x" },
      optionalDependencies: { e: "link:../e" },
      publishConfig: { nested: { f: "file:f.tgz" } },
    }),
  ).toEqual([
    'LOCAL_PROTOCOL: package.json: dependencies > b is "workspace:*", which only this workspace can resolve',
    'LOCAL_PROTOCOL: package.json: dependencies > c is "npm:d@catalog:x", which only this workspace can resolve',
    'LOCAL_PROTOCOL: package.json: optionalDependencies > e is "link:../e", which only this workspace can resolve',
    'LOCAL_PROTOCOL: package.json: publishConfig > nested > f is "file:f.tgz", which only this workspace can resolve',
  ]);
});

test("fields that users have no need of, and fields that they do need", () => {
  expect(
    check({
      scripts: { postinstall: "x" },
      devDependencies: {},
      license: "MIT",
      engines: {},
      repository: {},
    }),
  ).toEqual([
    'INTERNAL_FIELD: package.json still has "scripts", which users have no need of',
    'INTERNAL_FIELD: package.json still has "devDependencies", which users have no need of',
    'REPOSITORY: package.json: repository.url is missing, the root\'s is "git+https://example.com/r.git"',
    "REPOSITORY: package.json has no repository.directory",
    'LICENSE: package.json: license is "MIT", the root\'s is "Apache-2.0"',
    "ENGINES: package.json has no engines.node",
  ]);
});

test("every path that the manifest names must be in the tarball", () => {
  expect(check({ main: "dist/none.js", types: "dist/none.d.ts" }, without("dist/parts/deep/one.js"))).toEqual(
    [
      "MISSING_ENTRY: package.json: main names dist/none.js, which is not in the tarball",
      "MISSING_ENTRY: package.json: types names dist/none.d.ts, which is not in the tarball",
      'MISSING_ENTRY: package.json: exports["./parts/*"] names ./dist/parts/*.js, which is not in the tarball',
    ],
  );
});

test("a bin must be runnable", () => {
  const packed = [
    ...without("dist/a.js"),
    file("dist/a.js", { mode: 0o744, hashbang: "#!/usr/bin/env node\r" }),
  ];
  expect(check({}, packed)).toEqual([
    "BIN_MODE: dist/a.js is a bin of mode 744, expected 755",
    'BIN_HASHBANG: dist/a.js is a bin that begins with "#!/usr/bin/env node\\r", expected "#!/usr/bin/env node"',
  ]);
  expect(check({ bin: { a: "dist/native" } }, [...files, file("dist/native", { mode: 0o755 })])).toEqual([]);
});

test("exactly what `files` names is in the tarball, and the documents", () => {
  const packed = [...without("README.md"), file("src/a.ts"), file("dist/a.js.map"), file("distant.js")];
  expect(check({ files: ["./dist/", "!**/*.map"] }, packed)).toEqual([
    "MISSING_FILE: README.md is not in the tarball",
    'STRAY_FILE: src/a.ts is in the tarball, but "files" does not name it',
    'STRAY_FILE: dist/a.js.map is in the tarball, but "files" does not name it',
    'STRAY_FILE: distant.js is in the tarball, but "files" does not name it',
  ]);
  const { files: _, ...unlisted } = manifest;
  expect(check({ ...unlisted, files: undefined! })).toEqual([
    'FILES: package.json has no "files", so whatever lies in its folder is published',
  ]);
});
