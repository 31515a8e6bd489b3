import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "../processes/start-process.ts";
import { startInTerminal, type TerminalProcess } from "../terminal/start-in-terminal.ts";
import type { Project, TopologyName } from "./types.ts";
import { waitForPrompt } from "./wait-for-prompt.ts";
import { waitForSocket } from "./wait-for-socket.ts";

export interface TopologyOptions {
  binary: string;
  /** Of the TUIs. */
  env: Record<string, string>;
  serverEnv: Record<string, string>;
  /** Absolute and short: sockets come into it, and their paths may have some hundred bytes at most. */
  socketDir: string;
  projects: readonly Project[];
  signal: AbortSignal;
}

export interface RunningTopology {
  servers: RunningProcess[];
  tuis: TerminalProcess[];
  stop(): Promise<void>;
}

/** Starts servers and TUIs, and returns when every TUI is idle at its prompt with its thread resumed. */
export async function startTopology(name: TopologyName, options: TopologyOptions): Promise<RunningTopology> {
  const servers: RunningProcess[] = [];
  const tuis: TerminalProcess[] = [];
  const stop = async () => {
    // TUIs first: a TUI that loses its server would try to come back to it.
    await Promise.all(tuis.map((tui) => tui.stop()));
    await Promise.all(servers.map((server) => server.stop()));
    await rm(options.socketDir, { recursive: true, force: true });
  };
  try {
    await mkdir(options.socketDir, { recursive: true, mode: 0o700 });
    const sockets = await startServers(name, options, servers);
    for (const [index, project] of options.projects.entries()) {
      options.signal.throwIfAborted();
      const where = chooseServer(name, sockets, index);
      const tui = await startInTerminal(options.binary, ["resume", project.threadId, ...where], {
        cwd: project.dir,
        env: options.env,
      });
      tuis.push(tui);
      await waitForPrompt(tui, project.threadName, options.signal);
    }
    return { servers, tuis, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function chooseServer(name: TopologyName, sockets: readonly string[], index: number): string[] {
  if (name === "embedded") return ["--no-daemon"];
  return ["--remote", `unix://${sockets[name === "shared" ? 0 : index]}`];
}

async function startServers(
  name: TopologyName,
  { binary, serverEnv, projects, socketDir, signal }: TopologyOptions,
  started: RunningProcess[],
): Promise<string[]> {
  const count = { shared: 1, own: projects.length, embedded: 0 }[name];
  const sockets: string[] = [];
  for (let index = 0; index < count; index++) {
    signal.throwIfAborted();
    const socket = join(socketDir, `${index}.sock`);
    const server = await startProcess(binary, ["app-server", "--listen", `unix://${socket}`], {
      cwd: projects[index]!.dir,
      env: serverEnv,
    });
    started.push(server);
    server.stdout.resume();
    await waitForSocket(socket, server, signal);
    sockets.push(socket);
  }
  return sockets;
}
