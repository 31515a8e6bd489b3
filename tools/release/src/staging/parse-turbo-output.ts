/** A task of one package that failed, with what it printed. */
export interface FailedTask {
  /** The package's name. */
  package: string;
  task: string;
  /** Its own output: turbo's and pnpm's lines around it are left out. */
  lines: string[];
}

const aroundOutput = /^(cache (hit|miss|bypass)\b.*|\$ .*|> .*|\[?ELIFECYCLE\]?.*|)$/;

/** Finds the failed tasks in what `turbo run --output-logs=errors-only` printed without colours. */
export function parseFailedTasks(output: string): FailedTask[] {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const failed = lines.flatMap((line) => {
    const [, name, task] = /^(\S+)#(\S+):\s+ERROR\b/.exec(line) ?? [];
    return name === undefined || task === undefined ? [] : [{ package: name, task }];
  });
  return failed.map((one) => ({ ...one, lines: readLines(lines, `${one.package}:${one.task}:`) }));
}

function readLines(lines: readonly string[], prefix: string): string[] {
  return lines
    .filter((line) => line.startsWith(prefix))
    .map((line) => line.slice(prefix.length).replace(/^ /, ""))
    .filter((line) => !aroundOutput.test(line.trim()));
}
