import { expect, test } from "vitest";
import { orderPackages } from "./order-packages.ts";

const names = (packages: { name: string; dependsOn: string[] }[]) =>
  orderPackages(packages).map(({ name }) => name);

test("what a package needs comes before it, platform packages before their root, ties by name", () => {
  expect(
    names([
      { name: "runner", dependsOn: ["runner-linux", "runner-darwin"] },
      { name: "sdk", dependsOn: ["runner"] },
      { name: "runner-linux", dependsOn: [] },
      { name: "cli", dependsOn: [] },
      { name: "runner-darwin", dependsOn: [] },
    ]),
  ).toEqual(["cli", "runner-darwin", "runner-linux", "runner", "sdk"]);
});

test("a dependency outside the release does not hold anything up", () => {
  expect(names([{ name: "a", dependsOn: ["lodash"] }])).toEqual(["a"]);
});

test("a circle is an error that names its packages and not the others", () => {
  expect(() =>
    names([
      { name: "a", dependsOn: ["b"] },
      { name: "b", dependsOn: ["a"] },
      { name: "free", dependsOn: [] },
    ]),
  ).toThrow(/^a, b depend on each other/);
});
