import { expect, test } from "vitest";
import { collectSecrets, createRedactor, hideCredentials } from "./redact.ts";

test("what looks like a secret in an engine's configuration and environment is one", () => {
  const config = {
    model: "a model of that name",
    model_providers: {
      mine: { env_key: "MY_PROVIDER_KEY", experimental_bearer_token: "bearer-123", api_key: "short" },
    },
    mcp_servers: {
      git: { env: { GIT_PASSWORD: "password-1" }, http_headers: { Authorization: "Basic 12345" } },
    },
  };
  const configOverrides = [
    'a.token="override-1"',
    'b = { api_key = \'override-2\', "x-secret" = "override-3", name = "no secret at all" }',
    "c.password=override-4",
  ];
  const env = { OPENAI_API_KEY: "sk-1", OTHER: "not ours to know" };
  expect([...collectSecrets({ config, configOverrides }, env)].filter(Boolean)).toEqual([
    "sk-1",
    "bearer-123",
    "password-1",
    "Basic 12345",
    "override-1",
    "override-2",
    "override-3",
    "override-4",
  ]);
});

test.each([
  ["ws://127.0.0.1:9", "ws://127.0.0.1:9"],
  ["ws://user:secret@127.0.0.1:9/", "ws://***@127.0.0.1:9/"],
  ["ws://127.0.0.1:9/?token=secret", "ws://127.0.0.1:9/?***"],
  ["unix:///tmp/a?b@c", "unix:///tmp/a?b@c"],
])("the credentials of %s are not shown", (url, shown) => {
  expect(hideCredentials(url)).toBe(shown);
});

test("of two secrets that begin alike nothing is left", () => {
  const redact = createRedactor(["key-0123", undefined, "key-0123-and-more"]);
  expect(redact("a key-0123-and-more, b key-0123")).toBe("a ***, b ***");
});
