import type { Target } from "@codex-js/platforms";
import { runnerTargets } from "../../src/find-runner/runner-targets.ts";

/** The fields of the host's package.json that are the same in each platform package's. */
export interface HostManifest {
  name: string;
  version: string;
  license: string;
  repository: { type: string; url: string; directory: string };
  engines: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** What a platform package is made of in the working tree, by path; the build adds the rest. */
export function createPlatformFiles(target: Target, host: HostManifest): Record<string, string> {
  return {
    "package.json": formatJson(createManifest(target, host)),
    "turbo.json": turboConfig,
    "README.md": createReadme(target, host),
  };
}

/** What the host's package.json has to list, so that each machine installs its own. */
export function createOptionalDependencies({ name }: Pick<HostManifest, "name">): Record<string, string> {
  const names = runnerTargets.map(({ id }) => `${name}-${id}`).sort();
  return Object.fromEntries(names.map((platform) => [platform, "workspace:*"]));
}

function createManifest({ id, os, cpu, libc }: Target, host: HostManifest): object {
  return {
    name: `${host.name}-${id}`,
    version: host.version,
    description: `The native program of ${host.name} for ${id}`,
    license: host.license,
    repository: { ...host.repository, directory: `${host.repository.directory}/platforms/${id}` },
    engines: host.engines,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    // Yarn's zero-installs keep packages zipped, where no system can run a program.
    preferUnplugged: true,
    files: ["bin", "runner.json", "THIRD-PARTY-NOTICES.txt"],
    publishConfig: { access: "public" },
    scripts: { build: `node ../../scripts/stage-native.ts ${id}` },
    devDependencies: { "@codex-js/mod-runner-native": "workspace:*" },
  };
}

/** Keyed by what the native program is made from, which CODEX_JS_NATIVE says. */
const turboConfig = `{
  "extends": ["//"],
  "tasks": {
    "build": {
      "dependsOn": ["^build"],
      "env": ["CODEX_JS_NATIVE"],
      "passThroughEnv": ["CODEX_JS_MOD_RUNNER_BINARIES"],
      "inputs": [
        "package.json",
        "$TURBO_ROOT$/packages/mod-runner/scripts/**",
        "$TURBO_ROOT$/packages/mod-runner/src/find-runner/**",
        "$TURBO_ROOT$/packages/platforms/**"
      ],
      "outputs": ["bin/**", "runner.json", "THIRD-PARTY-NOTICES.txt", "build.json"]
    }
  }
}
`;

function createReadme({ id, triple }: Target, { name }: HostManifest): string {
  return `# ${name}-${id}

The native program of [${name}](https://www.npmjs.com/package/${name}) for \`${triple}\`. It is installed with that
package, on the machines that it is for; there is nothing to be used by itself. \`runner.json\` names the program's
SHA-256, which the library checks before each start. What is linked into it, with the licences, is in
THIRD-PARTY-NOTICES.txt.
`;
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
