import { setTimeout as sleep } from "node:timers/promises";
import { isProcessAlive } from "@codex-js/cli-kit";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import { createModHost, type ModHostEvent, type ModHostOptions } from "../../src/index.ts";
import { realRunner } from "./real-runner.ts";

function createHost(options: ModHostOptions = {}) {
  const pids: number[] = [];
  const onEvent = (event: ModHostEvent) => {
    if (event.type === "runner-started") pids.push(event.pid);
  };
  const host = createModHost({ runnerPath: realRunner!, onEvent, ...options });
  const load = (name: string) =>
    host.load({
      files: {
        "mod.json": JSON.stringify({
          name,
          version: "1.0.0",
          protocol: "1",
          hooks: { main: "main.ts" },
          grants: ["op"],
        }),
        "main.ts": `export default async (input: string, host: any) => (input ? host.call(input, { ms: 0 }) : ${JSON.stringify(name)});`,
      },
    });
  return { host, pids, load };
}

/** Until the counts are those, however long that takes: the test's own deadline is the limit. */
async function waitFor(isThere: () => boolean): Promise<void> {
  while (!isThere()) await sleep(5);
}

describe.skipIf(realRunner === undefined)("the pool", () => {
  test("a mod gets its own warm runner, another mod the spare", async () => {
    const { host, load, pids } = createHost();
    await using _ = host;
    const [one, two] = [await load("one"), await load("two")];
    await waitFor(() => pids.length === 1);
    const sources = [];
    for (const mod of [one, one, two, one]) {
      await waitFor(() => host.counts.spare > 0);
      sources.push((await mod.run("main", "")).stats.runner);
    }
    expect(sources).toEqual(["spare", "warm", "spare", "warm"]);
  });

  test("at most four runners stay warm, each for its time", async () => {
    const { host, load, pids } = createHost({ pool: { warmMs: 300, spare: 0 } });
    await using _ = host;
    for (const name of ["a", "b", "c", "d", "e"]) await (await load(name)).run("main", "");
    expect(host.counts).toEqual({ busy: 0, warm: 4, spare: 0, waiting: 0 });
    await waitFor(() => host.counts.warm === 0);
    expect(pids.length).toBe(5);
    for (const pid of pids) await waitUntilGone(pid);
  });

  test("an idle runner of another mod gives way when there is no place for one more", async () => {
    const { host, load } = createHost({ pool: { runners: 1, spare: 0 } });
    await using _ = host;
    const [one, two] = [await load("one"), await load("two")];
    const values = [];
    for (const mod of [one, two, one]) values.push((await mod.run("main", "")).value);
    expect(values).toEqual(["one", "two", "one"]);
    expect(host.counts).toMatchObject({ busy: 0, warm: 1 });
  });

  test("those who wait are served in their order, whichever mod's they are", async () => {
    const order: string[] = [];
    const { host, load } = createHost({ pool: { runners: 1, spare: 0 } });
    await using _ = host;
    const [one, two] = [await load("one"), await load("two")];
    const run = async (mod: typeof one, label: string) => {
      await mod.run("main", "");
      order.push(label);
    };
    await Promise.all([run(one, "1"), run(two, "2"), run(one, "3"), run(two, "4")]);
    expect(order).toEqual(["1", "2", "3", "4"]);
  });

  test("a busy time has up to three spares, and one when it is over", async () => {
    const { host, load } = createHost({ pool: { warmMs: 1500 } });
    await using _ = host;
    const mods = await Promise.all(["a", "b", "c", "d", "e"].map(load));
    await Promise.all(mods.map((mod) => mod.run("main", "")));
    await waitFor(() => host.counts.spare === 3);
    await waitFor(() => host.counts.spare === 1);
  });

  test("a callback that waits can be cancelled, and takes no place from the next", async () => {
    const { host, load } = createHost({ pool: { runners: 1, spare: 0 } });
    await using _ = host;
    const mod = await load("one");
    const abort = new AbortController();
    const [first, second, third] = [
      mod.run("main", ""),
      mod.run("main", "", { signal: abort.signal }),
      mod.run("main", ""),
    ];
    abort.abort(new Error("enough"));
    await expect(second).rejects.toMatchObject({ code: "mod_cancelled", cause: new Error("enough") });
    expect([(await first).value, (await third).value]).toEqual(["one", "one"]);
  });

  test("compiled code goes to the mod's next runner", async () => {
    const { host, load } = createHost({ pool: { warm: 0, spare: 0 } });
    await using _ = host;
    const mod = await load("one");
    const cached = [];
    for (let run = 0; run < 2; run += 1) cached.push((await mod.run("main", "")).stats.codeCached);
    expect(cached).toEqual([false, true]);
  });

  test("closing leaves no process, no callback, and no place for more", async () => {
    const { host, load, pids } = createHost({
      pool: { runners: 2 },
      grants: ["op"],
      operations: { op: () => new Promise(() => {}) },
    });
    const mod = await load("one");
    const server = await mod.serve();
    const running = [mod.run("main", "op"), server.render("main", "op"), mod.run("main", "op")];
    const codes = Promise.all(running.map((call) => call.catch(({ code }) => code)));
    await waitFor(() => host.counts.busy === 2 && host.counts.waiting === 1);
    await host.close();
    expect(await codes).toEqual(["mod_cancelled", "mod_cancelled", "mod_cancelled"]);
    expect(pids.filter(isProcessAlive)).toEqual([]);
    await expect(mod.run("main", "")).rejects.toMatchObject({ code: "mod_cancelled" });
    await expect(server.render("main", "")).rejects.toMatchObject({ code: "mod_cancelled" });
    await expect(load("two")).rejects.toMatchObject({ code: "mod_cancelled" });
  });

  test("a server has a runner of its own until it is closed", async () => {
    const { host, load } = createHost({ pool: { spare: 0 } });
    await using _ = host;
    const mod = await load("one");
    const server = await mod.serve();
    const values = await Promise.all([
      server.render("main", ""),
      server.render("main", ""),
      mod.run("main", ""),
    ]);
    expect(values.map(({ value }) => value)).toEqual(["one", "one", "one"]);
    expect(host.counts).toMatchObject({ busy: 1, warm: 1 });
    await server.close();
    expect(host.counts).toMatchObject({ busy: 0, warm: 1 });
  });

  test("a call that waits for a server has its runner's place when it is closed in time", async () => {
    const { host, load } = createHost({ pool: { runners: 1, spare: 0 } });
    await using _ = host;
    const mod = await load("one");
    const server = await mod.serve();
    const waiting = mod.run("main", "", { budgetMs: 600_000 });
    await waitFor(() => host.counts.waiting === 1);
    await server.close();
    expect((await waiting).value).toBe("one");
  });

  test("many servers at once have their turn, each when another one is closed", async () => {
    const { host, load } = createHost({ pool: { runners: 2, spare: 0 } });
    await using _ = host;
    const mod = await load("one");
    const values = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await using server = await mod.serve({ budgetMs: 600_000 });
        return (await server.render("main", "")).value;
      }),
    );
    expect(values).toEqual(["one", "one", "one", "one", "one", "one"]);
  });

  test("a server that is closed ends its render, and says that it was the server", async () => {
    let isRendering = false;
    const op = () => {
      isRendering = true;
      return new Promise(() => {});
    };
    const { host, load } = createHost({ grants: ["op"], operations: { op } });
    await using _ = host;
    const mod = await load("one");
    const server = await mod.serve();
    const render = server.render("main", "op").catch((error: Error) => error);
    await waitFor(() => isRendering);
    await server.close();
    expect(await render).toMatchObject({
      code: "mod_cancelled",
      message: "one, hook main: the mod server was closed",
    });
    expect((await mod.run("main", "")).value).toBe("one");
  });

  test("a server that is closed while it waits for a runner waits no longer", async () => {
    const { host, load, pids } = createHost({
      pool: { runners: 1, spare: 0 },
      grants: ["op"],
      operations: { op: () => new Promise(() => {}) },
    });
    await using _ = host;
    const mod = await load("one");
    const server = await mod.serve();
    process.kill(pids[0]!, "SIGKILL");
    await expect(server.render("main", "")).rejects.toMatchObject({ code: "mod_crashed" });
    const abort = new AbortController();
    const running = mod.run("main", "op", { signal: abort.signal }).catch(({ code }) => code);
    await waitFor(() => host.counts.busy === 1);
    const render = server.render("main", "").catch((error: Error) => error);
    await waitFor(() => host.counts.waiting === 1);
    await server.close();
    expect(await render).toMatchObject({ code: "mod_cancelled", message: "the mod server was closed" });
    expect(host.counts).toMatchObject({ busy: 1, waiting: 0 });
    abort.abort();
    expect(await running).toBe("mod_cancelled");
  });

  test("renders run one after the other, and one that waits can be cancelled", async () => {
    const { host, load } = createHost({ grants: ["op"], operations: { op: () => sleep(50) } });
    await using _ = host;
    await using server = await (await load("one")).serve();
    const abort = new AbortController();
    const order: string[] = [];
    const render = (label: string, operation: string, signal?: AbortSignal) =>
      server.render("main", operation, signal === undefined ? {} : { signal }).then(
        () => void order.push(label),
        ({ code }) => void order.push(`${label} ${code}`),
      );
    const all = [render("1", "op"), render("2", "", abort.signal), render("3", "")];
    abort.abort();
    await Promise.all(all);
    expect(order).toEqual(["2 mod_cancelled", "1", "3"]);
  });

  test("a mod that is not the one that was granted is refused", async () => {
    const { host, load } = createHost();
    await using _ = host;
    const { digest } = await load("one");
    const files = {
      "mod.json": '{"name":"one","version":"1.0.0","protocol":"1","hooks":{"main":"main.ts"}}',
      "main.ts": "",
    };
    await expect(host.load({ files }, { digest })).rejects.toMatchObject({
      code: "mod_invalid",
      message: expect.stringContaining("is not the mod that was granted"),
    });
  });

  test("a denial that was not caught says which of three sides has to change", async () => {
    const { host, load } = createHost({ grants: ["op"] });
    await using _ = host;
    await expect((await load("one")).run("main", "op")).rejects.toMatchObject({
      code: "host_operation_denied",
      message: expect.stringMatching(
        /^one, hook main: did not catch a denial: the host has no operation op( |$)/,
      ),
      hint: "the host has to have the operation in operations",
    });
    await expect((await load("one")).run("main", "other")).rejects.toMatchObject({
      code: "host_operation_denied",
      message: expect.stringContaining("the mod's manifest does not ask for other"),
      hint: 'name the operation in "grants" of mod.json',
    });
  });

  test("what a mod may have of memory is told where it had more, whatever the host's option says", async () => {
    const { host } = createHost({ limits: { memoryBytes: 2 ** 31 } });
    await using _ = host;
    const manifest = { name: "many", version: "1.0.0", protocol: "1", hooks: { main: "main.ts" } };
    const source = "export default () => { const all = []; for (;;) all.push({ all }); };";
    const mod = await host.load({ files: { "mod.json": JSON.stringify(manifest), "main.ts": source } });
    await expect(mod.run("main", null, { budgetMs: 60_000 })).rejects.toMatchObject({
      code: "mod_out_of_memory",
      hint: "keep less at a time: a mod has 64 MiB for objects, and 256 MiB for these, its buffers and the runner together, whatever limits.memoryBytes is",
    });
  });

  test("misuse says what is wrong", async () => {
    const { host, load } = createHost();
    await using _ = host;
    const mod = await load("one");
    await expect(mod.run("other", null)).rejects.toMatchObject({
      code: "mod_invalid",
      message: "one has no hook other; there are main",
    });
    await expect(mod.run("main", 1n)).rejects.toMatchObject({ code: "invalid_argument" });
    const misuses: [unknown: () => Promise<unknown>, message: string][] = [
      [() => mod.run("main", null, { budgetMs: 0 }), "budgetMs is 0"],
      [() => mod.run("main", null, { signal: 5 as never }), "signal is 5, expected an AbortSignal"],
      [() => mod.serve({ hooks: 5 as never }), "hooks is 5, expected a list of names"],
      [() => host.load(undefined as never), "there is no mod to load"],
      [() => host.load({} as never), "there is no mod to load"],
      [() => host.load({ files: { "a.ts": 5 as never } }), "files.a.ts is 5, expected a text"],
      [() => host.load("x", { digest: "x" }), 'digest is "x", expected a SHA-256'],
    ];
    for (const [misuse, message] of misuses) {
      await expect(misuse()).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining(message),
      });
    }
    await using server = await mod.serve();
    await expect(server.render("main", null, { budget: 5 } as never)).rejects.toMatchObject({
      code: "invalid_argument",
    });
  });
});
