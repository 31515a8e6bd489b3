import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import type { PackedTarball } from "@codex-js/pack";
import { checkProgram } from "@codex-js/platforms/check-program";
import { readPrograms } from "../assets/read-programs.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { findLibc } from "./find-libc.ts";
import type { Finding } from "./finding.ts";

/** A row of targets.json, as far as it is looked at here. */
interface TargetRow {
  id: string;
  os: string;
  cpu: string;
  libc?: string;
  modRunner?: boolean;
}

const tablePath = "packages/platforms/targets.json";

/**
 * Every package with platform packages has one for each row of the table of targets that is built: npm installs a package
 * whose platform package is missing without a word.
 */
export async function checkTargets(root: string, plan: ReleasePlan): Promise<Finding[]> {
  const roots = plan.packages.filter(({ platforms }) => platforms.length > 0);
  if (roots.length === 0) return [];
  const { targets } = JSON.parse(await readFile(join(root, tablePath), "utf8")) as { targets: TargetRow[] };
  return roots.flatMap(({ name, platforms }) =>
    targets
      .filter(({ modRunner }) => modRunner !== false)
      .filter(({ id }) => !platforms.includes(`${name}-${id}`))
      .map(({ id }) =>
        describe(
          name,
          `${tablePath} has ${id}, and there is no ${name}-${id} among its optional dependencies`,
        ),
      ),
  );
}

/**
 * Every platform package holds a program that its platform can run: of the right system, processor and C
 * library, and all of it.
 */
export async function checkBinaries(
  plan: ReleasePlan,
  tarballs: readonly PackedTarball[],
): Promise<Finding[]> {
  const platforms = new Set(plan.packages.flatMap((pkg) => pkg.platforms));
  const findings: Finding[] = [];
  for (const tarball of tarballs.filter(({ name }) => platforms.has(name))) {
    findings.push(...(await checkTarball(tarball)).map((message) => describe(tarball.name, message)));
  }
  return findings;
}

async function checkTarball(tarball: PackedTarball): Promise<string[]> {
  const { manifest } = tarball;
  const [os, cpu, libc] = [manifest.os, manifest.cpu, manifest.libc].map(
    (list) => (list as string[] | undefined)?.[0],
  );
  if (os === undefined || cpu === undefined)
    return ["package.json has no os and cpu, so npm installs it everywhere"];
  const programs = await readPrograms(tarball);
  if (programs.length === 0) return ["it holds no executable file"];
  return withTempDir("codex-js-binaries", async (dir) => {
    const messages: string[] = [];
    for (const { path, content } of programs) {
      const program = join(dir, "program");
      await writeFile(program, content);
      const fault = checkProgram(program, { platform: os as NodeJS.Platform, arch: cpu });
      if (fault !== undefined) messages.push(`${path} is ${describeFault(fault, `${os}-${cpu}`)}`);
      const linked = findLibc(content);
      // Without an interpreter a program is linked statically, which runs with either.
      if (libc !== undefined && linked !== undefined && linked !== libc) {
        messages.push(`${path} is linked against ${linked}, and package.json says ${libc}`);
      }
    }
    return messages;
  });
}

function describeFault(fault: NonNullable<ReturnType<typeof checkProgram>>, platform: string): string {
  return fault === "damaged" ? "no whole program" : `a program for another platform than ${platform}`;
}

function describe(subject: string, message: string): Finding {
  return {
    code: "CODEX_JS_RELEASE_PLATFORM",
    subject,
    message,
    hint: "build that target again, and see that its job put the binary into its own package",
  };
}
