/** What one run of the driver is told, as JSON in argv. */
export interface Drive {
  way: "official" | "exec" | "app-server" | "bare";
  turns: number;
  /** Absolute, of the engine. */
  binary: string;
  /** URL of our SDK's built module. */
  sdk: string;
  /** The agent's working directory. */
  workDir: string;
}

/** What it prints, as JSON. All in milliseconds. */
export interface DriveResult {
  /** Import of the SDK, before the clock starts. */
  loadMs: number;
  /** From before the first engine's start to the exit of the last. */
  totalMs: number;
  /** Of each turn, from asking for it to its end as the program sees it; the first one has the start in it. */
  turnMs: number[];
  /** From the last turn's end to the exit of the last engine. */
  closeMs: number;
}

function createPrompt(turn: number): string {
  return `turn ${turn}: say hello`;
}

/** Something that runs turns of one thread; created before the clock starts, without starting anything. */
export interface Driver {
  runTurn(prompt: string): Promise<void>;
  /** Resolves when no engine runs any more. */
  close(): Promise<void>;
}

export async function timeTurns(turns: number, create: () => Driver): Promise<Omit<DriveResult, "loadMs">> {
  const startedAt = performance.now();
  const driver = create();
  const turnMs: number[] = [];
  let previous = startedAt;
  for (let turn = 0; turn < turns; turn++) {
    await driver.runTurn(createPrompt(turn));
    const now = performance.now();
    turnMs.push(now - previous);
    previous = now;
  }
  await driver.close();
  const endedAt = performance.now();
  return { totalMs: endedAt - startedAt, turnMs, closeMs: endedAt - previous };
}
