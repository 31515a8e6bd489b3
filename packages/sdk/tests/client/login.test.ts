import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodexClient } from "../../src/index.ts";
import { type ClientFixture, createClientFixture } from "./client-fixture.ts";
import { type LoginIssuer, startLoginIssuer } from "./login-issuer.ts";

// All in one file, so that one after the other: the engine waits for the browser on port 1455 and no other.

let fixture: ClientFixture;
let issuer: LoginIssuer;
let client: CodexClient;
beforeEach(async () => {
  fixture = await createClientFixture();
  issuer = await startLoginIssuer();
  client = fixture.createClient({
    env: { ...fixture.options.env, ...issuer.env },
    config: { ...issuer.config, model_providers: { mock: { requires_openai_auth: true } } },
  });
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const account = { type: "chatgpt", email: "user@example.test", planType: "pro" };

/** What the user's browser does at the end of the page that it was sent to. */
async function finishInBrowser(authUrl: string): Promise<void> {
  const { searchParams } = new URL(authUrl);
  const redirect = new URL(searchParams.get("redirect_uri")!);
  redirect.searchParams.set("code", "code");
  redirect.searchParams.set("state", searchParams.get("state")!);
  expect((await fetch(redirect)).status).toBe(200);
}

test("a login with ChatGPT: the user comes back from the page, and the login is done", async () => {
  expect((await client.account.read()).account).toBeNull();
  const login = await client.account.login({ type: "chatgpt" });
  const done = login.wait();
  await finishInBrowser((login.response as { authUrl: string }).authUrl);
  await done;
  // It is done; who asks later is told so too, and there is nothing to give up.
  await login.wait();
  expect((await client.account.read()).account).toMatchObject(account);
  expect(issuer.grants).toContain("authorization_code");
  await client.account.logout();
  expect((await client.account.read()).account).toBeNull();
  expect(issuer.revoked()).toBe(1);
});

test("a login with ChatGPT by device code", async () => {
  const login = await client.account.login({ type: "chatgptDeviceCode" });
  expect(login.response).toMatchObject({
    type: "chatgptDeviceCode",
    verificationUrl: `${issuer.env.CODEX_APP_SERVER_LOGIN_ISSUER}/codex/device`,
    userCode: "ABCD-1234",
  });
  await login.wait();
  expect((await client.account.read()).account).toMatchObject(account);
});

test("a login with ChatGPT can be waited for, and cancelled", async () => {
  const login = await client.account.login({ type: "chatgpt" });
  expect(login.response).toMatchObject({ type: "chatgpt", authUrl: expect.stringMatching(/^http/) });
  const impatient = login.wait({ signal: AbortSignal.abort() });
  await expect(impatient).rejects.toMatchObject({ name: "AbortError" });
  const waiting = login.wait();
  await login.cancel();
  await expect(waiting).rejects.toMatchObject({ code: "CODEX_JS_SDK_LOGIN_FAILED" });
});

test("a login ends with the engine that knows of it", async () => {
  const login = await client.account.login({ type: "chatgpt" });
  const waiting = login.wait();
  const failed = expect(waiting).rejects.toMatchObject({
    code: "CODEX_JS_SDK_LOGIN_FAILED",
    message: "the login failed: the engine went away",
  });
  await client.close();
  await failed;
});
