import { spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { CodexError } from "../../errors.ts";
import { markerVariable } from "../../process-tree.ts";
import type { EngineCommand } from "../engine-child.ts";
import type { SharedPlace } from "./shared-place.ts";

/** A supervisor on its way. */
export interface Supervisor {
  /** How it ended, if it has: the server's exit code, or {@link lostRaceCode}. */
  readonly exitCode: number | null;
}

/** Exit code of a supervisor that came second. */
export const lostRaceCode = 71;

/**
 * Waits for the server, and ends it when nobody has been there for a while. A shell, because it takes a
 * hundredth of another Node's memory, is there whatever runtime or bundle the starter is, and blocks in
 * reads and waits without ever waking up. Values come as arguments and are never part of the script. The
 * engine runs in the foreground: what a shell runs in the background ignores SIGINT and so would every
 * command of the agent.
 *
 * `presence` is held open by every program (presence.ts). At its end, a period of sleep, and not one word
 * since, the FIFO is renamed: who opens it later finds nothing. Who opened it before has written a word,
 * which comes before `end`; then it is renamed back. A watcher that is killed is started again. SIGTERM makes the engine finish running turns and take
 * no more; a second one, after `drain` seconds, ends it at once. The record (`server`) goes last: without it
 * the next server may start, and would lose its files.
 */
const script = `
dir=$1 idle=$2 drain=$3 record=$4; shift 4
rest() { command -p sleep "$1" 3<&-; }
move() { command -p mv -f "$dir/$1" "$dir/$2" 2>/dev/null; }
end() { read -r server _ <"$dir/server" && kill "-$1" "$server"; }
command -p mkfifo -m 600 "$dir/presence" || { [ -e "$dir/presence" ] && exit ${lostRaceCode}; exit 1; }
exec 4<>"$dir/presence" 3<"$dir/presence" 4>&-
watch() {
  while rest "$idle"; do
    came=
    while read -r word <&3; do came=1; done
    [ -n "$came" ] && continue
    move presence leaving || break
    echo end >"$dir/leaving"
    while read -r word <&3 && [ "$word" != end ]; do came=1; done
    [ -n "$came" ] && move leaving presence && continue
    end TERM
    break
  done
  rest "$drain"; end TERM; rest 5; end KILL
  return 0
}
guard() { while :; do watch & wait "$!" && return; done; }
guard &
/bin/sh -c '
printf "%s %s %s\\n" "$$" "$1" "$2" >"$3/server.new" && command -p mv -f "$3/server.new" "$3/server"; shift 3
exec "$@"' codex-js-shared "$$" "$record" "$dir" "$@" 3<&-
code=$?
trap "" TERM
kill -TERM 0
socket=
[ "$code" = 0 ] || {
  command -p cp "$dir/server" "$dir/crashed" 2>/dev/null
  socket=$(command -p readlink "$dir/app.sock")
}
command -p rm -f "$dir/presence" "$dir/leaving" "$dir/replacing" "$dir/app.sock" \${socket:+"$socket"} "$dir/server"
exit "$code"
`;

export interface SupervisorOptions {
  idleTimeoutMs: number;
  /** Milliseconds that turns which nobody waits for may go on after that. */
  drainLimitMs: number;
  engineVersion: string;
  argumentsHash: string;
}

/**
 * Starts a server and its supervisor in a session of their own; both outlive this process.
 * @throws CodexError CODEX_JS_SDK_SHARED_UNSUPPORTED when there is no `/bin/sh`
 */
export async function startSupervisor(
  place: SharedPlace,
  command: EngineCommand,
  options: SupervisorOptions,
): Promise<Supervisor> {
  const marker = crypto.randomUUID();
  const { engineVersion, argumentsHash } = options;
  const record = JSON.stringify({ engineVersion, argumentsHash, marker });
  const log = await open(place.logPath, "a", 0o600);
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      script,
      "codex-js-shared",
      place.dir,
      String(options.idleTimeoutMs / 1000),
      String(options.drainLimitMs / 1000),
      record,
      command.file,
      ...command.args,
      "--listen",
      `unix://${place.socketPath}`,
    ],
    {
      // Not the starter's folder, which may be gone long before the server; threads name their own.
      cwd: place.dir,
      env: { ...command.env, [markerVariable]: marker },
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
    },
  );
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) =>
        reject(
          new CodexError(
            "CODEX_JS_SDK_SHARED_UNSUPPORTED",
            `a shared server needs /bin/sh: ${cause.message}`,
            {
              hint: "use an engine of your own (new Codex()), or Codex.connect() to a server that runs elsewhere",
              cause,
            },
          ),
        ),
      );
    });
  } finally {
    await log.close();
  }
  child.unref();
  return {
    get exitCode() {
      return child.exitCode ?? (child.signalCode === null ? null : -1);
    },
  };
}
