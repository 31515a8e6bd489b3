import type { FetchReport } from "./types.ts";

/** The lines for a shell: `NAME=path`, with the target above them. */
export function formatFetchReport({ v8, lock, targets }: FetchReport): string {
  const lines = targets.flatMap(({ target, env }) => [
    `# V8 ${v8} for ${target}`,
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ]);
  return `${[`# as ${lock} pins it`, ...lines].join("\n")}\n`;
}
