import type { PackedTarball } from "@codex-js/pack";
import { expect, test } from "vitest";
import { createSbom } from "./sbom.ts";

function tarball(name: string, manifest: object): PackedTarball {
  return {
    name,
    version: "1.0.0",
    file: "",
    filename: "",
    integrity: `sha512-${Buffer.alloc(64, 1).toString("base64")}`,
    sha256: "ab".repeat(32),
    packedBytes: 1,
    unpackedBytes: 1,
    files: [],
    manifest: { name, version: "1.0.0", license: "Apache-2.0", ...manifest },
  };
}

test("packages with hashes, licences and what they depend on; the same text each time", () => {
  const tarballs = [
    tarball("@codex-js/sdk", { dependencies: { "@openai/codex": "0.171.0" } }),
    tarball("@codex-js/cli", { dependencies: { "@codex-js/sdk": "1.0.0", "@openai/codex": "0.171.0" } }),
  ];
  const text = createSbom("1.0.0", tarballs);
  expect(createSbom("1.0.0", tarballs)).toBe(text);
  const sbom = JSON.parse(text);
  expect(sbom).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: "codex-js", version: "1.0.0" } },
  });
  expect(sbom.components).toEqual([
    {
      type: "library",
      group: "@codex-js",
      name: "cli",
      version: "1.0.0",
      "bom-ref": "@codex-js/cli@1.0.0",
      hashes: [
        { alg: "SHA-256", content: "ab".repeat(32) },
        { alg: "SHA-512", content: "01".repeat(64) },
      ],
      licenses: [{ expression: "Apache-2.0" }],
      purl: "pkg:npm/%40codex-js/cli@1.0.0",
    },
    expect.objectContaining({ "bom-ref": "@codex-js/sdk@1.0.0" }),
    {
      type: "library",
      group: "@openai",
      name: "codex",
      version: "0.171.0",
      "bom-ref": "@openai/codex@0.171.0",
      purl: "pkg:npm/%40openai/codex@0.171.0",
    },
  ]);
  expect(sbom.dependencies).toContainEqual({
    ref: "@codex-js/cli@1.0.0",
    dependsOn: ["@codex-js/sdk@1.0.0", "@openai/codex@0.171.0"],
  });
});
