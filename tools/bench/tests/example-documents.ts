import type { BenchDocument, ComparisonSpec, MetricInfo, Sample } from "../src/document/types.ts";
import { defaultBootstrap } from "../src/statistics/bootstrap.ts";
import { createRandom } from "../src/statistics/random.ts";
import { summariseComparisons, summariseSeries } from "../src/statistics/summarise.ts";

/** What a scenario would have written, with made-up samples. */
function createExampleDocument(
  part: Pick<BenchDocument, "scenario" | "title">,
  metrics: Record<string, MetricInfo>,
  samples: Sample[],
  comparisons: ComparisonSpec[],
): BenchDocument {
  return {
    version: 1,
    ...part,
    short: false,
    startedAt: "2026-01-02T03:04:05.000Z",
    finishedAt: "2026-01-02T03:05:05.000Z",
    machine: {
      cpuModel: "Example <CPU> & co.",
      cores: 8,
      memoryBytes: 16 * 2 ** 30,
      kernel: "linux 6.1",
      os: "Example OS",
      arch: "x64",
      loadBefore: [0.1, 0.2, 0.3],
      loadAfter: [0.2, 0.2, 0.3],
    },
    versions: { node: "24.0.0", bun: null, engine: "0.1.0", commit: "0123456789abcdef", dirty: true },
    options: { runs: 3 },
    bootstrap: defaultBootstrap,
    metrics,
    comparisons: summariseComparisons(samples, comparisons, defaultBootstrap),
    series: summariseSeries(samples, defaultBootstrap),
    notes: ["a note with <markup>"],
    samples,
    raw: [],
  };
}

export function createTopologyExample(): BenchDocument {
  const sizes = { shared: [60, 400], own: [480, 380], embedded: [0, 650] } as const;
  const samples = Object.entries(sizes).flatMap(([side, [servers, tuis]]) =>
    [0, 1, 2].flatMap((block) => {
      const make = (group: string, value: number) => {
        return { group, side, metric: "pssKib", block, value: value * 1024 + block };
      };
      const own = [make("everything", servers + tuis), make("tuis", tuis)];
      return servers === 0 ? own : [...own, make("servers", servers)];
    }),
  );
  return createExampleDocument(
    { scenario: "topology", title: "Topology" },
    { pssKib: { label: "PSS", unit: "KiB" } },
    samples,
    [{ metric: "pssKib", side: "shared", baseline: "own" }],
  );
}

export function createTimesExample(): BenchDocument {
  const random = createRandom(1);
  const samples = ["ours", "readline + JSON.parse"].flatMap((side, index) =>
    Array.from({ length: 300 }, (_, at) => ({
      group: "200 B lines, node24",
      side,
      metric: "msPerMb",
      block: at % 10,
      value: 1 + index + random() ** 4,
    })),
  );
  return createExampleDocument(
    { scenario: "jsonl", title: "JSON lines" },
    { msPerMb: { label: "per MB", unit: "ms" } },
    samples,
    [{ metric: "msPerMb", side: "ours", baseline: "readline + JSON.parse" }],
  );
}
