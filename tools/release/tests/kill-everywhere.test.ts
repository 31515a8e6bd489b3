import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import type { ExchangeHook } from "@codex-js/testkit/fault-plan";
import { type Registry, startRegistry } from "@codex-js/testkit/registry";
import { expect, test } from "vitest";
import { writeReleaseWorkspace } from "./release-workspace.ts";
import { openWorld, readRegistry, type World } from "./release-world.ts";
import { runRelease } from "./run-cli.ts";

const cli = join(import.meta.dirname, "..", "src", "cli.ts");

/** One step of a release that changes something outside: in the order of the run, before or after it was done. */
interface CrashPoint {
  write: number;
  moment: "received" | "done";
}

/**
 * Lets the writes of both servers through one at a time, and may end the release at one of them: the uploads of
 * a wave come together, and of two that are done at once only one could be what it is killed at.
 */
interface Watch {
  hook: ExchangeHook;
  /** `METHOD path`, of those that reached a server. */
  writes: string[];
  /** From here on the next write that `isDue` says ends the process. */
  arm(child: ChildProcess, isDue: (point: CrashPoint) => boolean): void;
}

function createWatch(): Watch {
  const writes: string[] = [];
  let armed: { child: ChildProcess; isDue: (point: CrashPoint) => boolean } | undefined;
  let kills = 0;
  let last = Promise.resolve();
  let endTurn = () => {};
  return {
    writes,
    arm: (child, isDue) => {
      armed = { child, isDue };
    },
    async hook(moment, { method, path }) {
      if (/^(GET|HEAD)$/.test(method)) return undefined;
      if (moment === "received") {
        const killsBefore = kills;
        const turn = Promise.withResolvers<void>();
        const before = last;
        last = turn.promise;
        await before;
        endTurn = turn.resolve;
        // Of an npm that the killed release had started beside the other: it comes no further either.
        if (kills !== killsBefore) return drop();
        writes.push(`${method} ${path}`);
      }
      if (armed?.isDue({ write: writes.length - 1, moment }) === true) {
        const { child } = armed;
        armed = undefined;
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        // No answer before that: the release could come to its end with it.
        await exited;
        kills += 1;
        return drop();
      }
      if (moment === "done") endTurn();
      return undefined;
    },
  };

  /** Nothing of the process is left to hear the answer; npm, which it had started, shall not either. */
  function drop(): "drop" {
    endTurn();
    return "drop";
  }
}

interface Scene {
  dir: string;
  /** Of the one registry, which each world begins with emptied. */
  storageDir: string;
  registry: Registry;
}

/** A workspace of which everything is packed and gated, and what a release of it leaves in a fresh world. */
async function inPackedScene(use: (scene: Scene, reference: Outcome) => Promise<void>): Promise<void> {
  await withTempDir("codex-js-kill", async (base) => {
    const [dir, storageDir] = [join(base, "ws"), join(base, "registry")];
    mkdirSync(dir);
    await writeReleaseWorkspace(dir, { small: true });
    await using registry = await startRegistry({ storageDir, uplink: null });
    const scene = { dir, storageDir, registry };
    const watch = createWatch();
    await using world = await openWorld({ storageDir, registry, onExchange: watch.hook });
    const done = await release(scene, world);
    expect(done.stderr).toContain("✓ Announce");
    await use(scene, { ...readOutcome(storageDir, world), writes: watch.writes });
  });
}

interface Outcome {
  registry: ReturnType<typeof readRegistry>;
  github: ReturnType<World["github"]["snapshot"]>;
  writes: string[];
}

function readOutcome(storageDir: string, { github }: World): Omit<Outcome, "writes"> {
  return { registry: readRegistry(storageDir), github: github.snapshot() };
}

/** The smokes read only, and `npm-release.test.ts` has them. */
async function release({ dir }: Scene, { args, env }: World) {
  const published = await runRelease(dir, [...args, "--no-smoke"], env);
  return published.exitCode === 0 ? runRelease(dir, ["announce", ...args], env) : published;
}

/** Starts a release and waits until it is killed, or until it ends. */
async function releaseUntilKilled(
  scene: Scene,
  world: World,
  watch: Watch,
  isDue: (point: CrashPoint) => boolean,
): Promise<Ended> {
  const { args } = world;
  const published = await runUntilKilled(scene, world, [...args, "--no-smoke"], watch, isDue);
  if (published.exitCode !== 0) return published;
  return runUntilKilled(scene, world, ["announce", ...args], watch, isDue);
}

interface Ended {
  exitCode: number | null;
  signal: string | null;
}

async function runUntilKilled(
  { dir }: Scene,
  { env }: World,
  args: string[],
  watch: Watch,
  isDue: (point: CrashPoint) => boolean,
): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  watch.arm(child, isDue);
  const [exitCode, signal] = await once(child, "exit");
  return { exitCode, signal };
}

test(
  "killed before and after every step that changes something outside, a release comes to the same end",
  () =>
    inPackedScene(async (scene, reference) => {
      const points = reference.writes.flatMap((_, write): CrashPoint[] => [
        { write, moment: "received" },
        { write, moment: "done" },
      ]);
      for (const point of points) await expectResumed(scene, reference, point);
      console.info(
        `kill-everywhere: ${points.length} crash points (${reference.writes.length} writes, before and after each), all resumed to the same end`,
      );
    }),
  900_000,
);

async function expectResumed(scene: Scene, reference: Outcome, point: CrashPoint): Promise<void> {
  const what = `${point.moment} ${reference.writes[point.write]}`;
  const watch = createWatch();
  const { storageDir } = scene;
  const { early, hook } = watchRoot(storageDir, watch.hook);
  await using world = await openWorld({ ...scene, onExchange: hook });
  const killed = await releaseUntilKilled(
    scene,
    world,
    watch,
    ({ write, moment }) => write === point.write && moment === point.moment,
  );
  expect(killed, what).toEqual({ exitCode: null, signal: "SIGKILL" });
  const resumed = await release(scene, world);
  expect(resumed.exitCode, `${what}\n${resumed.stderr}`).toBe(0);
  const { registry, github } = readOutcome(storageDir, world);
  expect({ registry, github }, what).toEqual({ registry: reference.registry, github: reference.github });
  expect(early, what).toEqual([]);
  expect(countStored(world, point, reference), what).toBe(Object.keys(registry).length);
}

/** How often the registry took a version; of the answer that was dropped the journal has no status. */
function countStored({ proxy }: World, { write, moment }: CrashPoint, { writes }: Outcome): number {
  const answered = proxy.requests.filter(({ method, status }) => method === "PUT" && status === 201).length;
  return answered + (moment === "done" && writes[write]!.startsWith("PUT ") ? 1 : 0);
}

/** Uploads of the root that came before both of its platform packages were there. */
function watchRoot(storageDir: string, hook: ExchangeHook): { early: string[]; hook: ExchangeHook } {
  const early: string[] = [];
  return {
    early,
    hook(moment, exchange) {
      const isRoot = exchange.method === "PUT" && exchange.path === rootPath;
      if (isRoot && moment === "received") {
        const there = Object.keys(readRegistry(storageDir));
        if (there.length < platformCount) early.push(`only ${there.join(" and ")} there`);
      }
      return hook(moment, exchange);
    },
  };
}

const rootPath = "/@fixture/tool";
const platformCount = 2;

test(
  "killed again and again, at each first thing that it does: it comes to the same end",
  () =>
    inPackedScene(async (scene, reference) => {
      const watch = createWatch();
      await using world = await openWorld({ ...scene, onExchange: watch.hook });
      let kills = 0;
      for (;;) {
        const begun = watch.writes.length;
        const end = await releaseUntilKilled(
          scene,
          world,
          watch,
          ({ write, moment }) => write >= begun && moment === "done",
        );
        if (end.signal === null) {
          expect(end.exitCode).toBe(0);
          break;
        }
        kills += 1;
      }
      // Nothing is written twice, and each write was the last thing that a process did.
      expect([...watch.writes].sort()).toEqual([...reference.writes].sort());
      expect(kills).toBe(reference.writes.length);
      const { registry, github } = readOutcome(scene.storageDir, world);
      expect({ registry, github }).toEqual({ registry: reference.registry, github: reference.github });
    }),
  900_000,
);
