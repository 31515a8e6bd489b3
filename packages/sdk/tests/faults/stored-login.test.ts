import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Codex, CodexClient } from "../../src/index.ts";
import { until } from "../app-server/engine-fixture.ts";
import { createSharedFixture } from "../app-server/shared/shared-fixture.ts";
import { type ClientFixture, createClientFixture } from "../client/client-fixture.ts";

const config = { model_providers: { mock: { requires_openai_auth: true } } };

type Home = Pick<ClientFixture, "homeDir" | "model">;
const logIn = ({ homeDir }: Home, key: string) =>
  writeFile(join(homeDir, "auth.json"), JSON.stringify({ OPENAI_API_KEY: key }));
const readKeys = ({ model }: Home) => model.requests.map(({ headers }) => headers.authorization);

// openai/codex-plugin-cc#281: the server that stayed up went on under the login that it had begun with.
test("another login under a running engine holds for the next turn, of an old thread and of a new one", async () => {
  await using fixture = await createClientFixture();
  await logIn(fixture, "sk-one");
  await using codex = new Codex({ ...fixture.options, config });
  const options = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  const thread = codex.startThread(options);
  await thread.run("one");
  await thread.run("two");
  await logIn(fixture, "sk-two");
  const { finalResponse, usage } = await thread.run("three");
  await codex.startThread(options).run("four");
  expect([finalResponse, usage?.input_tokens]).toEqual(["echo: three", 33]);
  const [one, two] = ["Bearer sk-one", "Bearer sk-two"];
  expect(readKeys(fixture)).toEqual([one, one, two, two]);
});

test("a turn that runs is not disturbed by another login; the next one waits for it", async () => {
  await using fixture = await createClientFixture();
  await logIn(fixture, "sk-one");
  await using codex = new Codex({ ...fixture.options, config });
  const options = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  const abort = new AbortController();
  const running = codex.startThread(options).run("hang", { signal: abort.signal });
  const ended = expect(running).rejects.toMatchObject({ name: "AbortError" });
  await until(() => fixture.model.requests.length === 1);
  await logIn(fixture, "sk-two");
  const others = ["one", "two"].map((prompt) => codex.startThread(options).run(prompt));
  abort.abort();
  await ended;
  expect((await Promise.all(others)).map(({ finalResponse }) => finalResponse)).toEqual([
    "echo: one",
    "echo: two",
  ]);
  expect(readKeys(fixture)).toEqual(["Bearer sk-one", "Bearer sk-two", "Bearer sk-two"]);
});

test("a key of the program's own is not the user's login, and no login of the user's changes it", async () => {
  await using fixture = await createClientFixture();
  await logIn(fixture, "sk-one");
  await using codex = new Codex({ ...fixture.options, config, apiKey: "sk-own" });
  const thread = codex.startThread({ workingDirectory: fixture.workDir, skipGitRepoCheck: true });
  await thread.run("one");
  await logIn(fixture, "sk-two");
  await thread.run("two");
  expect(readKeys(fixture)).toEqual(["Bearer sk-own", "Bearer sk-own"]);
});

// One login is everybody's there, and no program may end the server under the others.
test("a shared server keeps its login until a program logs in through it, for all", {
  skip: process.platform === "win32",
}, async () => {
  await using shared = await createSharedFixture();
  const { file, env } = shared.base.command();
  const { stateDir } = shared.options;
  const options = { codexPathOverride: file, env: env as Record<string, string>, stateDir, config };
  const home = { homeDir: join(shared.base.dir, "home"), model: shared.base.model };
  await logIn(home, "sk-one");
  await using codex = Codex.shared(options);
  const thread = codex.startThread({ workingDirectory: shared.base.workDir, skipGitRepoCheck: true });
  await thread.run("one");
  await logIn(home, "sk-two");
  await thread.run("two");
  await using client = CodexClient.shared(options);
  await (await client.account.login({ type: "apiKey", apiKey: "sk-three" })).wait();
  await thread.run("three");
  expect(readKeys(home)).toEqual(["Bearer sk-one", "Bearer sk-one", "Bearer sk-three"]);
});
