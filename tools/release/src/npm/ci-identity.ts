import { registerSecret } from "@codex-js/cli-kit";

/** What a CI gives a job to prove who it is (OpenID Connect). */
export interface CiIdentity {
  /** The variables that npm reads, and the ones that its signed statement names. */
  env: NodeJS.ProcessEnv;
  /** GitHub hands out the proof on request. */
  request?: { url: string; token: string };
  /** GitLab and others hand it out with the job. */
  idToken?: string;
}

/** Never the tokens that write to the repository. */
const withheld = /^(GITHUB_TOKEN|CI_JOB_TOKEN)$/;
const named =
  /^(CI|GITHUB_\w+|ACTIONS_ID_TOKEN_REQUEST_\w+|RUNNER_ENVIRONMENT|GITLAB_CI|CI_\w+|NPM_ID_TOKEN|SIGSTORE_ID_TOKEN)$/;

/** Undefined where there is none: on a developer's machine, or in a job without `id-token: write`. */
export function readCiIdentity(env: NodeJS.ProcessEnv): CiIdentity | undefined {
  const {
    ACTIONS_ID_TOKEN_REQUEST_URL: url,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
    NPM_ID_TOKEN: idToken,
  } = env;
  for (const secret of [token, idToken, env.SIGSTORE_ID_TOKEN]) if (secret) registerSecret(secret);
  const request = url && token ? { url, token } : undefined;
  if (request === undefined && !idToken) return undefined;
  const entries = Object.entries(env).filter(([name]) => named.test(name) && !withheld.test(name));
  return {
    env: Object.fromEntries(entries),
    ...(request === undefined ? {} : { request }),
    ...(idToken ? { idToken } : {}),
  };
}
