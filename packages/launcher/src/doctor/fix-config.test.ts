import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createTempDir } from "@codex-js/platforms/testing";
import { describe, expect, test } from "vitest";
import type { SettingChange } from "./find-changes.ts";
import { planFixes, writeFix } from "./fix-config.ts";

const before = "# mine\n[otel]\nenvironment = 'dev' # e\n";
const after = `${before}metrics_exporter = "none"\n`;
const isWindows = process.platform === "win32";

function createChange(file: string): SettingChange {
  return { file, path: ["otel", "metrics_exporter"], value: "none" };
}

function createConfig(text = before): { dir: string; file: string } {
  const dir = createTempDir();
  const file = join(dir, "config.toml");
  writeFileSync(file, text, { mode: 0o640 });
  return { dir, file };
}

const plan = (file: string, text: string | undefined = before) =>
  planFixes([createChange(file)], new Map([[file, text]]));
const fix = (file: string, text?: string) => plan(file, text).map(writeFix);

test("writes the file, keeps its mode and a copy, leaves nothing else", () => {
  const { dir, file } = createConfig();
  chmodSync(file, 0o640);
  expect(fix(file)).toEqual([{ path: file, backup: `${file}.before-doctor` }]);
  expect([readFileSync(file, "utf8"), readFileSync(`${file}.before-doctor`, "utf8")]).toEqual([
    after,
    before,
  ]);
  expect(readdirSync(dir).sort()).toEqual(["config.toml", "config.toml.before-doctor"]);
  if (!isWindows) expect(statSync(file).mode & 0o777).toBe(0o640);
});

test("a second time there is nothing to do; a second change keeps both copies", () => {
  const { dir, file } = createConfig();
  fix(file);
  expect(plan(file, after)).toEqual([]);
  writeFileSync(file, before);
  fix(file);
  expect(readdirSync(dir)).toContain("config.toml.before-doctor-2");
});

test("a file that is not there is made, for its owner alone", () => {
  const file = join(createTempDir(), "home", "config.toml");
  expect(planFixes([createChange(file)], new Map([[file, undefined]])).map(writeFix)).toEqual([
    { path: file, backup: undefined },
  ]);
  expect(readFileSync(file, "utf8")).toBe('[otel]\nmetrics_exporter = "none"\n');
  if (!isWindows) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a file that changed since, before the plan or after it, is not written", () => {
  const { dir, file } = createConfig("new = 1\n");
  const error = expect.objectContaining({ code: "CODEX_JS_DOCTOR_CONFIG_CHANGED", exitCode: 2 });
  expect(() => plan(file)).toThrow(error);
  writeFileSync(file, before);
  const [planned] = plan(file);
  writeFileSync(file, "newer = 1\n");
  expect(() => writeFix(planned!)).toThrow(error);
  expect(readFileSync(file, "utf8")).toBe("newer = 1\n");
  expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("what only a person can edit is named, with the line to write", () => {
  const text = "otel = 3\n";
  const { file } = createConfig(text);
  expect(() => plan(file, text)).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_DOCTOR_FIX_UNSAFE",
      hint: 'set it by hand: otel.metrics_exporter = "none"',
    }),
  );
});

describe.skipIf(isWindows)("links and permissions (POSIX)", () => {
  test("a link stays one: the file that it leads to is replaced", () => {
    const { dir, file } = createConfig();
    mkdirSync(join(dir, "home"));
    const link = join(dir, "home", "config.toml");
    symlinkSync("../config.toml", link);
    fix(link);
    expect([lstatSync(link).isSymbolicLink(), readFileSync(file, "utf8")]).toEqual([true, after]);
  });

  test.each<[string, (dir: string, file: string) => void, string | undefined, string]>([
    ["a link to nowhere", (dir, file) => symlinkSync(join(dir, "gone"), file), undefined, "CONFIG_LINK"],
    [
      "a file with two names",
      (dir, file) => {
        writeFileSync(file, before);
        linkSync(file, join(dir, "other"));
      },
      before,
      "CONFIG_LINK",
    ],
    [
      "a read-only file",
      (_, file) => writeFileSync(file, before, { mode: 0o444 }),
      before,
      "CONFIG_UNWRITABLE",
    ],
  ])("%s is refused", (_, prepare, text, code) => {
    const dir = createTempDir();
    const file = join(dir, "config.toml");
    prepare(dir, file);
    const names = readdirSync(dir);
    const [planned] = planFixes([createChange(file)], new Map([[file, text]]));
    expect(() => writeFix(planned!)).toThrow(expect.objectContaining({ code: `CODEX_JS_DOCTOR_${code}` }));
    expect(readdirSync(dir)).toEqual(names);
  });
});
