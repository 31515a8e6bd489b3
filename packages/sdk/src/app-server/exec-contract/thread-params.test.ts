import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  addConfiguredRoots,
  createThreadSettings,
  createTurnParams,
  leaveUntrusted,
  nameConfiguredModel,
} from "./thread-params.ts";

const noConfig = { model: null, model_provider: null, sandbox_mode: null, sandbox_workspace_write: null };

test("no options: the host's folder, and nobody is asked", () => {
  expect(createThreadSettings({}, "/host")).toEqual({ cwd: resolve("/host"), approvalPolicy: "never" });
});

test("every option", () => {
  const settings = createThreadSettings(
    {
      model: "m",
      sandboxMode: "workspace-write",
      workingDirectory: "sub",
      modelReasoningEffort: "high",
      networkAccessEnabled: false,
      webSearchEnabled: true,
      approvalPolicy: "on-failure",
      additionalDirectories: ["more", resolve("/else")],
    },
    "/host",
  );
  expect(settings).toEqual({
    model: "m",
    cwd: resolve("/host/sub"),
    approvalPolicy: "never",
    runtimeWorkspaceRoots: [resolve("/host/sub"), resolve("/host/sub/more"), resolve("/else")],
    config: {
      sandbox_mode: "workspace-write",
      model_reasoning_effort: "high",
      "sandbox_workspace_write.network_access": false,
      web_search: "live",
      approval_policy: "on-failure",
    },
  });
});

test("images before the text, the trigger of exec, programs by the protocol's name", () => {
  const request = {
    threadId: "t",
    thread: { id: "t" },
    prompt: "look",
    images: ["a.png"],
    threadOptions: {},
    turnOptions: { outputSchema: { type: "object" }, cyberAccessProgram: "daybreak_red" as const },
  };
  expect(createTurnParams("t", request)).toEqual({
    threadId: "t",
    turnTrigger: "exec",
    input: [
      { type: "localImage", path: resolve("a.png") },
      { type: "text", text: "look", text_elements: [] },
    ],
    outputSchema: { type: "object" },
    cyberAccessProgram: "daybreakRed",
  });
});

test("the configuration's directories are added to those of the options, never put in their place", () => {
  const sandbox_workspace_write = { writable_roots: ["/c", "/b"] } as never;
  const settings = createThreadSettings({ additionalDirectories: ["/b"] }, "/a");
  const added = addConfiguredRoots(settings, { ...noConfig, sandbox_workspace_write });
  expect(added.runtimeWorkspaceRoots).toEqual([resolve("/a"), resolve("/b"), "/c", "/b"].filter(isFirst));
  const none = createThreadSettings({}, "/a");
  expect(addConfiguredRoots(none, { ...noConfig, sandbox_workspace_write })).toEqual(none);
});

function isFirst(value: string, index: number, all: string[]): boolean {
  return all.indexOf(value) === index;
}

test("the option's model, else the configuration's", () => {
  const config = { ...noConfig, model: "configured", model_provider: "p" };
  expect(nameConfiguredModel(createThreadSettings({ model: "own" }), config)).toMatchObject({
    model: "own",
    modelProvider: "p",
  });
  expect(nameConfiguredModel(createThreadSettings({}), config).model).toBe("configured");
  expect(nameConfiguredModel(createThreadSettings({}), noConfig)).not.toHaveProperty("model");
});

test("a folder that may be written to is kept from becoming trusted, unless it is known already", () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "codex-js-params-")));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const settings = createThreadSettings({ workingDirectory: dir, sandboxMode: "workspace-write" });
  expect(leaveUntrusted(settings, noConfig).config).toMatchObject({
    sandbox_mode: "workspace-write",
    projects: { [dir]: { trust_level: "untrusted" } },
  });
  const known = { ...noConfig, projects: { [dir]: { trust_level: "trusted" } } };
  expect(leaveUntrusted(settings, known)).toBe(settings);
  const readOnly = createThreadSettings({ workingDirectory: dir });
  expect(leaveUntrusted(readOnly, noConfig)).toBe(readOnly);
  expect(leaveUntrusted(readOnly, { ...noConfig, sandbox_mode: "danger-full-access" })).not.toBe(readOnly);
});
