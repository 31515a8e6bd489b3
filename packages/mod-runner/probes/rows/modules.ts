import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HostProbe, HostScene, ModProbe, Outcome } from "../probe.ts";
import { makeFifo } from "../scene/make-fifo.ts";
import { manifestText } from "../scene/mod-text.ts";

const refused = { code: "mod_import_refused" };

const imports = (id: string, tries: string, specifier: string): ModProbe => ({
  id,
  tries: `an import of ${tries}`,
  mod: {
    "main.ts": `import ${JSON.stringify(specifier)}; export default () => 1;`,
    "lib.ts": "export {};",
  },
  expect: refused,
});

const importProbes: ModProbe[] = [
  imports("parent", "`../secret.ts`", "../secret.ts"),
  imports("far-parent", "`./../../etc/passwd`", "./../../etc/passwd"),
  imports("absolute", "`/etc/passwd`", "/etc/passwd"),
  imports("network-path", "`//host/lib.ts`", "//host/lib.ts"),
  imports("file-url", "a `file:` URL", "file:///etc/passwd"),
  imports("data-url", "a `data:` URL", "data:text/javascript,export default 1"),
  imports("https-url", "an `https:` URL", "https://example.com/lib.js"),
  imports("node-module", "`node:fs`", "node:fs"),
  imports("bare-node-module", "`fs`", "fs"),
  imports("bare-package", "a package's name", "lodash"),
  imports("percent-encoded", "a percent-encoded path", "./%6cib.ts"),
  imports("percent-encoded-parent", "`./%2e%2e/lib.ts`", "./%2e%2e/lib.ts"),
  imports("nul", "a path with NUL", "./lib.ts\0"),
  imports("backslash", "a path with a backslash", ".\\lib.ts"),
  imports("query", "a path with a query", "./lib.ts?again"),
  imports("fragment", "a path with a fragment", "./lib.ts#again"),
  imports("no-extension", "a path without its extension", "./lib"),
  imports("other-case", "a path in another case", "./Lib.ts"),
];

const chain = (count: number): Record<string, string> => {
  const source = (index: number) =>
    index + 1 < count
      ? `import next from "./m${index + 1}.ts"; export default (): number => 1 + next();`
      : "export default (): number => 1;";
  const entries = Array.from({ length: count }, (_, index) => [
    index === 0 ? "main.ts" : `m${index}.ts`,
    source(index),
  ]);
  return Object.fromEntries(entries);
};

const graphProbes: ModProbe[] = [
  {
    id: "cycle-of-imports",
    tries: "a cycle of imports: linked as the language has it",
    mod: {
      "main.ts": "import { b } from './b.ts'; export const a = 1; export default () => b();",
      "b.ts": "import { a } from './main.ts'; export const b = () => a + 1;",
    },
    expect: { value: 2 },
  },
  {
    id: "endless-cycle",
    tries: "a cycle of re-exports that leads nowhere",
    mod: {
      "main.ts": "export { x as default } from './b.ts';",
      "b.ts": "export { default as x } from './main.ts';",
    },
    expect: { code: "mod_syntax_error" },
  },
  {
    id: "thousand-modules",
    tries: "a chain of 1,000 modules: linked",
    mod: chain(1000),
    expect: { value: 1000 },
  },
  {
    id: "ten-thousand-modules",
    tries: "10,000 modules",
    mod: chain(10_000),
    expect: { code: "mod_invalid" },
    notOnNode: "the host library refuses it before there is a runner",
  },
  {
    id: "path-out-of-package",
    tries: "a module whose own path leads out: `../main.ts`",
    mod: { "main.ts": "export default () => 1;", "../out.ts": "1" },
    expect: { code: "mod_invalid" },
    notOnNode: "the host library refuses it before there is a runner",
  },
];

const hostOnly = "the host library's part, which is the same";
const main = "import secret from './a.json'; export default () => secret;";

function writeMod(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries({
    "mod.json": manifestText("main.ts"),
    "main.ts": main,
    ...files,
  })) {
    writeFileSync(join(dir, path), text);
  }
}

/** Puts a link to the secret in the place of the asset, or the asset in the place of the link. */
function createSwapper({ dir, outside }: HostScene): () => void {
  const [asset, link] = [join(dir, ".asset"), join(dir, ".link")];
  let isLink = false;
  return () => {
    isLink = !isLink;
    if (isLink) symlinkSync(join(outside, "secret.json"), link);
    else writeFileSync(asset, '"own"');
    renameSync(isLink ? link : asset, join(dir, "a.json"));
  };
}

async function loadWhileSwapping(scene: HostScene): Promise<Outcome> {
  writeMod(scene.dir, { "a.json": '"own"' });
  const swap = createSwapper(scene);
  let isLoading = true;
  const swapping = (async () => {
    while (isLoading) {
      swap();
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const seen = new Set<string>();
  for (let load = 0; load < 20; load += 1) {
    const { code, value } = await scene.runMod();
    seen.add(code === "ok" ? String(value) : code);
  }
  isLoading = false;
  await swapping;
  seen.delete("own");
  seen.delete("mod_invalid");
  return { code: "ok", value: [...seen] };
}

const folderProbes: HostProbe[] = [
  {
    id: "linked-asset",
    tries: "an asset that is a link to a file outside",
    notOnNode: hostOnly,
    expect: { code: "mod_invalid" },
    run: (scene) => {
      writeMod(scene.dir, {});
      symlinkSync(join(scene.outside, "secret.json"), join(scene.dir, "a.json"));
      return scene.runMod();
    },
  },
  {
    id: "linked-folder",
    tries: "a folder that is a link to one outside",
    notOnNode: hostOnly,
    expect: { code: "mod_invalid" },
    run: (scene) => {
      writeMod(scene.dir, { "a.json": "1" });
      symlinkSync(scene.outside, join(scene.dir, "lib"));
      return scene.runMod();
    },
  },
  {
    id: "swapped-asset",
    tries: "an asset that becomes a link and is one no more, while the mod is loaded 20 times",
    notOnNode: hostOnly,
    expect: { value: [] },
    run: loadWhileSwapping,
  },
  {
    id: "fifo-asset",
    tries: "an asset that is a FIFO without a writer",
    notOnNode: hostOnly,
    expect: { code: "mod_invalid" },
    run: async (scene) => {
      writeMod(scene.dir, {});
      await makeFifo(join(scene.dir, "a.json"));
      return scene.runMod();
    },
  },
  {
    id: "folder-asset",
    tries: "an asset that is a folder",
    notOnNode: hostOnly,
    expect: { code: "mod_import_refused" },
    run: (scene) => {
      writeMod(scene.dir, {});
      mkdirSync(join(scene.dir, "a.json"));
      return scene.runMod();
    },
  },
];

/** A mod's modules, and nothing else. */
export const moduleProbes: (ModProbe | HostProbe)[] = [...importProbes, ...graphProbes, ...folderProbes];
