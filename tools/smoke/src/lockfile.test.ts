import { expect, test } from "vitest";
import { parseBunLockfile, parseNpmLockfile } from "./lockfile.ts";

test("npm: the top level of node_modules", () => {
  const text = JSON.stringify({
    lockfileVersion: 3,
    packages: {
      "": { name: "smoke" },
      "node_modules/@a/b": { version: "1.0.0", resolved: "http://r/b.tgz", integrity: "sha512-x", bin: {} },
      "node_modules/@a/b/node_modules/c": { version: "3.0.0" },
      "node_modules/c": { version: "2.0.0" },
    },
  });
  expect([...parseNpmLockfile(text)]).toEqual([
    ["@a/b", { version: "1.0.0", resolved: "http://r/b.tgz", integrity: "sha512-x" }],
    ["c", { version: "2.0.0" }],
  ]);
});

test("bun: trailing commas, the default registry left out, and strings that look like trailing commas", () => {
  const text = `{
  "lockfileVersion": 2,
  "packages": {
    "@a/b": ["@a/b@1.0.0", "http://r/b.tgz", { "bin": { "b": "x,}\\",]" }, }, "sha512-x"],

    "c": ["c@2.0.0-rc.1", "", {}, "sha512-y"],
  },
}
`;
  expect([...parseBunLockfile(text)]).toEqual([
    ["@a/b", { version: "1.0.0", resolved: "http://r/b.tgz", integrity: "sha512-x" }],
    ["c", { version: "2.0.0-rc.1", integrity: "sha512-y" }],
  ]);
});
