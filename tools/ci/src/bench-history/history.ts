import { z } from "zod";

/** What is kept of a benchmark document: enough to see a trend, not the samples. */
const comparison = z.object({
  group: z.string(),
  metric: z.string(),
  side: z.string(),
  baseline: z.string(),
  ratio: z.number().nullable(),
});
const document = z.object({
  version: z.literal(1),
  scenario: z.string(),
  startedAt: z.string(),
  machine: z.object({ cpuModel: z.string(), os: z.string() }),
  versions: z.object({ commit: z.string().nullable(), engine: z.string().nullable() }),
  comparisons: z.array(comparison),
});

type Comparison = z.output<typeof comparison>;

/** One run of the night: one file of the history's branch. */
const night = z.object({
  version: z.literal(1),
  startedAt: z.string(),
  commit: z.string().nullable(),
  engine: z.string().nullable(),
  results: z.array(
    z.object({
      /** The job, `ubuntu-24.04-node24-turns`. */
      job: z.string(),
      scenario: z.string(),
      machine: z.string(),
      comparisons: z.array(comparison),
    }),
  ),
});

export type Night = z.output<typeof night>;

/** @throws ZodError, SyntaxError */
export function parseNight(text: string): Night {
  return night.parse(JSON.parse(text));
}

export interface JobDocument {
  job: string;
  /** The file's text. */
  text: string;
}

/**
 * @param documents at least one
 * @throws ZodError, SyntaxError
 */
export function createNight(documents: readonly JobDocument[]): Night {
  const parsed = documents.map(({ job, text }) => ({ job, ...document.parse(JSON.parse(text)) }));
  const first = parsed.reduce((earliest, each) => (each.startedAt < earliest.startedAt ? each : earliest));
  return {
    version: 1,
    startedAt: first.startedAt,
    commit: first.versions.commit,
    engine: first.versions.engine,
    results: parsed.map(({ job, scenario, machine, comparisons }) => ({
      job,
      scenario,
      machine: `${machine.cpuModel}, ${machine.os}`,
      comparisons,
    })),
  };
}

/** Where a night is kept: in the order of time, and no two in one place. */
export function nameNight({ startedAt }: Night): string {
  const [, year, month] = /^(\d{4})-(\d\d)-/.exec(startedAt) ?? [];
  return `${year}/${month}/${startedAt.replaceAll(/[:.]/g, "-")}.json`;
}

export interface Trend {
  job: string;
  name: string;
  now: number;
  /** Median of the nights before. */
  usual: number;
  /** How many nights that is. */
  nights: number;
}

const shownNights = 14;

/**
 * Each ratio of the night against the median of the nights before; what is new has no trend yet.
 * @param kept what the history has: of a job that is run again, this very night as well
 */
export function compareNights(now: Night, kept: readonly Night[]): Trend[] {
  const before = kept.filter(({ startedAt }) => startedAt < now.startedAt);
  const recent = before.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, shownNights);
  const past = Map.groupBy(recent.flatMap(listRatios), ({ key }) => key);
  return listRatios(now).flatMap(({ key, job, name, ratio }) => {
    const ratios = (past.get(key) ?? []).map((one) => one.ratio);
    return ratios.length === 0
      ? []
      : [{ job, name, now: ratio, usual: median(ratios), nights: ratios.length }];
  });
}

function listRatios({ results }: Night) {
  return results.flatMap(({ job, scenario, comparisons }) =>
    comparisons.flatMap(({ ratio, ...one }) => {
      const name = `${scenario}: ${nameComparison(one)}`;
      return ratio === null ? [] : [{ key: JSON.stringify([job, name]), job, name, ratio }];
    }),
  );
}

function nameComparison({ group, metric, side, baseline }: Omit<Comparison, "ratio">): string {
  return `${group}, ${metric}, ${side} against ${baseline}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** For the page of the job: what has changed most comes first. */
export function formatTrends(trends: readonly Trend[]): string {
  if (trends.length === 0)
    return "### Benchmarks\n\nThe first night of this history: nothing to compare with.\n";
  const change = ({ now, usual }: Trend) => now / usual - 1;
  const rows = [...trends]
    .sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)))
    .map((trend) => {
      const percent = change(trend) * 100;
      const sign = percent >= 0 ? "+" : "−";
      return `| ${trend.job} | ${trend.name.replaceAll("|", "\\|")} | ${trend.now.toFixed(2)}× | ${trend.usual.toFixed(2)}× | ${sign}${Math.abs(percent).toFixed(1)} % | ${trend.nights} |`;
    });
  return `### Benchmarks against the nights before

More is better in every row. Machines differ from night to night: a ratio that stays lower says something, one
night says little.

| job | ratio | now | usual | change | nights |
| --- | --- | --: | --: | --: | --: |
${rows.join("\n")}
`;
}
