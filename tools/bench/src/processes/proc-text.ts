/** Memory of one process, from `/proc/PID/smaps_rollup`; KiB as the kernel counts them. */
export interface MemoryKib {
  rss: number;
  /** Its share of what it shares, added: the sum over processes counts every page once. */
  pss: number;
  /** Pages that nobody else has, written or not: what would be free if this process ended. */
  private: number;
  /** The written ones among them: they cannot be read from the program's file again. */
  privateDirty: number;
}

export function parseSmapsRollup(text: string): MemoryKib {
  const read = (name: string) => readField(text, name);
  const privateDirty = read("Private_Dirty");
  return { rss: read("Rss"), pss: read("Pss"), private: read("Private_Clean") + privateDirty, privateDirty };
}

/** Switches of one thread, from `/proc/PID/task/TID/status`. */
export interface Switches {
  voluntary: number;
  involuntary: number;
}

export function parseSwitches(text: string): Switches {
  return {
    voluntary: readField(text, "voluntary_ctxt_switches"),
    involuntary: readField(text, "nonvoluntary_ctxt_switches"),
  };
}

/** System calls of one process with all the threads it ever had, from `/proc/PID/io`. */
export interface IoCalls {
  reads: number;
  writes: number;
}

export function parseIo(text: string): IoCalls {
  return { reads: readField(text, "syscr"), writes: readField(text, "syscw") };
}

export interface Stat {
  /** The kernel's name, at most 15 characters. */
  name: string;
  parentPid: number;
  sessionId: number;
  /** User and system time of all threads, in clock ticks. */
  cpuTicks: number;
  /** In clock ticks since boot; with the pid it names one process for ever. */
  startTicks: number;
  zombie: boolean;
}

/** From `/proc/PID/stat`. The name stands in brackets and may hold spaces and brackets itself. */
export function parseStat(text: string): Stat {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  // The first one after the name is field 3 of proc(5).
  const fields = text.slice(close + 2).split(" ");
  const field = (number: number) => fields[number - 3] ?? "";
  return {
    name: text.slice(open + 1, close),
    zombie: field(3) === "Z",
    parentPid: Number(field(4)),
    sessionId: Number(field(6)),
    cpuTicks: Number(field(14)) + Number(field(15)),
    startTicks: Number(field(22)),
  };
}

function readField(text: string, name: string): number {
  const match = new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(text);
  if (match === null) throw new Error(`no ${name} in ${JSON.stringify(text.slice(0, 80))}`);
  return Number(match[1]);
}
