import type { Host } from "../host.ts";
import { fitSegments, type Segment } from "./segments.ts";
import { measureText } from "./text-width.ts";
import theme from "./theme.json" with { type: "json" };

interface Input {
  model: string;
  directory: string;
  columns: number;
  usedTokens: number;
  contextTokens: number;
}

interface Branch {
  name: string;
  ahead: number;
  dirty: boolean;
}

/** One line of at most `columns` cells: model, folder, branch, context, time. */
export default async function statusLine(input: Input, host: Host) {
  const [branch, time] = (await Promise.all([
    host.call("git.branch", { directory: input.directory }),
    host.call("clock.time", { zone: "UTC" }),
  ])) as [Branch, { hours: number; minutes: number }];
  const battery = (await host.call("machine.battery", null)) as { percent: number };
  const segments: Segment[] = [
    { text: input.model, weight: 5 },
    { text: shortenPath(input.directory), weight: 2 },
    { text: `${theme.branch} ${branch.name}${branch.dirty ? "*" : ""} ↑${branch.ahead}`, weight: 4 },
    { text: formatContext(input), weight: 3 },
    { text: `${theme.battery} ${battery.percent} %`, weight: 1 },
    { text: [time.hours, time.minutes].map((part) => String(part).padStart(2, "0")).join(":"), weight: 2 },
  ];
  const shown = fitSegments(segments, input.columns, theme.separator);
  const text = shown.map((segment) => segment.text).join(theme.separator);
  return { text, width: measureText(text), left: segments.length - shown.length };
}

function shortenPath(path: string): string {
  const parts = path.split("/");
  return parts.map((part, index) => (index < parts.length - 1 ? part.slice(0, 1) : part)).join("/");
}

function formatContext({ usedTokens, contextTokens }: Input): string {
  const cells = 10;
  const filled = Math.round((usedTokens / contextTokens) * cells);
  return theme.full.repeat(filled) + theme.empty.repeat(cells - filled);
}
