import type { CliContext } from "@codex-js/cli-kit";
import semver from "semver";
import { checkCredentials, checkTrustedPublisher } from "../npm/check-access.ts";
import type { NpmAccess } from "../npm/npm-access.ts";
import { errorClasses } from "../publish/error-classes.ts";
import type { Finding } from "./finding.ts";

/** The first npm that exchanges a CI's identity: https://docs.npmjs.com/trusted-publishers */
const minNpm = "11.5.1";

/** Whether the registry will let this release publish; asks it, changes nothing. */
export async function checkNpmAccess(
  access: NpmAccess,
  names: readonly string[],
  npmVersion: string,
  context: Pick<CliContext, "fetch" | "signal">,
): Promise<Finding[]> {
  if (access.identity !== undefined && semver.lt(npmVersion, minNpm)) return [describeOldNpm(npmVersion)];
  if (access.hasCredentials) {
    const known = await checkCredentials(access, context);
    return known === "no" ? [describeRefused(access.registryUrl)] : [];
  }
  if (access.identity === undefined) return [describeNobody(access.registryUrl)];
  const findings: Finding[] = [];
  for (const name of names) {
    if ((await checkTrustedPublisher(access, name, context)) === "no") findings.push(describeUntrusted(name));
  }
  return findings;
}

function describeOldNpm(npmVersion: string): Finding {
  return {
    code: "CODEX_JS_RELEASE_NPM_TOO_OLD",
    subject: "npm",
    message: `it is ${npmVersion}, and trusted publishing needs ${minNpm}`,
    hint: "raise `npm` in the catalog of pnpm-workspace.yaml",
  };
}

function describeNobody(registryUrl: string): Finding {
  return {
    code: "CODEX_JS_RELEASE_NPM_NO_AUTH",
    subject: registryUrl,
    message: "there is neither a token for it nor a CI that says who this is (no `id-token: write`)",
    hint: "set NODE_AUTH_TOKEN or run npm login; in GitHub Actions give the job `permissions: id-token: write`",
  };
}

function describeRefused(registryUrl: string): Finding {
  const { code } = errorClasses.auth;
  return {
    code,
    subject: registryUrl,
    message: "it does not know the token: it is wrong, expired or revoked",
    hint: "npm token create, then set NODE_AUTH_TOKEN; npm whoami shows whether it is good",
  };
}

function describeUntrusted(name: string): Finding {
  const { code, remedy } = errorClasses.auth;
  return {
    code,
    subject: name,
    message: "the registry does not take this workflow as the package's trusted publisher",
    hint: remedy,
  };
}
