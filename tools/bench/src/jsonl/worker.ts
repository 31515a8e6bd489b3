// Runs inside of the measured runtime: `<runtime> worker.ts <minimum ms per side> <block> <file of ours>`. One JSON line
// per side and workload on stdout, in the order in which they were measured.
import { measure } from "mitata";
import { alternate } from "../order.ts";
import { createSampleClock } from "./sample-clock.ts";
import { floorSide, type JsonlSide, loadSides } from "./sides.ts";
import { createWorkloads, type Workload } from "./workload.ts";

export interface WorkerResult {
  workload: string;
  side: string;
  bytes: number;
  /** Nanoseconds for the whole workload, in the order in which they were taken. */
  nanoseconds: number[];
}

interface Runnable {
  name: string;
  run: () => Promise<number> | number;
}

const minMs = Number(process.argv[2]);
const block = Number(process.argv[3]);
const sides = await loadSides(process.argv[4] ?? "");

function createRunnables(workload: Workload, sides: readonly JsonlSide[]): Runnable[] {
  const parseAll = () => {
    let count = 0;
    for (const line of workload.lines) if (JSON.parse(line) !== undefined) count++;
    return count;
  };
  return [
    { name: floorSide, run: parseAll },
    ...sides.map(({ name, parse }) => ({ name, run: () => parse(workload.open()) })),
  ];
}

async function measureSide(workload: Workload, { name, run }: Runnable): Promise<WorkerResult> {
  const count = await run();
  if (count !== workload.lines.length) {
    throw new Error(`${name} found ${count} of ${workload.lines.length} messages in ${workload.name}`);
  }
  const clock = createSampleClock();
  await measure(run, { now: clock.now, min_cpu_time: minMs * 1e6, batch_threshold: 0 });
  return { workload: workload.name, side: name, bytes: workload.bytes, nanoseconds: clock.samples };
}

for (const workload of createWorkloads()) {
  for (const runnable of alternate(createRunnables(workload, sides), block)) {
    console.log(JSON.stringify(await measureSide(workload, runnable)));
  }
}
