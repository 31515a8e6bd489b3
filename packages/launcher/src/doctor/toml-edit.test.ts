import { expect, test } from "vitest";
import { findTomlLine, parseToml, setTomlValue } from "./toml-edit.ts";

/** Each a file before and after `otel.metrics_exporter = "none"`. */
const cases: [name: string, before: string, after: string][] = [
  ["an empty file", "", '[otel]\nmetrics_exporter = "none"\n'],
  ["no line end at the end", 'model = "x"', 'model = "x"\n\n[otel]\nmetrics_exporter = "none"\n'],
  [
    "comments, odd spacing and trailing blanks elsewhere",
    '# top\nmodel   = "x"  # m \n\n[mcp_servers.a] # the a\ncommand="node" \nargs = [\n  "x", # first\n]\n# end\n',
    '# top\nmodel   = "x"  # m \n\n[mcp_servers.a] # the a\ncommand="node" \nargs = [\n  "x", # first\n]\n# end\n\n[otel]\nmetrics_exporter = "none"\n',
  ],
  [
    "an [otel] without the key, indented",
    '[ otel ] # o\n  environment = "dev" # e\n\n[tui]\na = 1\n',
    '[ otel ] # o\n  environment = "dev" # e\n  metrics_exporter = "none"\n\n[tui]\na = 1\n',
  ],
  ["an empty [otel]", "[otel]\n\n[tui]\n", '[otel]\nmetrics_exporter = "none"\n\n[tui]\n'],
  ["an [otel] at the very end", "[otel]", '[otel]\nmetrics_exporter = "none"\n'],
  [
    "an inline exporter",
    '[otel]\nmetrics_exporter = { otlp-http = { endpoint = "http://x", protocol = "json" } } # tax\nb = 1\n',
    '[otel]\nmetrics_exporter = "none" # tax\nb = 1\n',
  ],
  [
    "an exporter in tables of its own",
    '[otel]\nenvironment = "dev"\n\n# the collector\n[otel.metrics_exporter.otlp-http]\nendpoint = "u"\nprotocol = "json"\n\n[otel.metrics_exporter.otlp-http.headers]\na = "b"\n\n# tui\n[tui]\na = 1\n',
    '[otel]\nenvironment = "dev"\nmetrics_exporter = "none"\n\n# the collector\n\n\n# tui\n[tui]\na = 1\n',
  ],
  [
    "only the exporter's own table",
    'model = "x"\n\n[otel.metrics_exporter.otlp-http]\nendpoint = "u"\n\n[tui]\na = 1\n',
    'model = "x"\n\n[otel]\nmetrics_exporter = "none"\n\n[tui]\na = 1\n',
  ],
  [
    "another table below otel",
    '[otel.span_attributes]\na = "b"\n',
    '[otel]\nmetrics_exporter = "none"\n\n[otel.span_attributes]\na = "b"\n',
  ],
  [
    "dotted keys",
    "otel.environment = \"dev\" # e\notel.metrics_exporter = 'statsig'\n[tui]\n",
    'otel.environment = "dev" # e\notel.metrics_exporter = "none"\n[tui]\n',
  ],
  [
    "dotted keys without it",
    'otel.environment = "dev" # e\nmodel = "x"\n[tui]\n',
    'otel.environment = "dev" # e\notel.metrics_exporter = "none"\nmodel = "x"\n[tui]\n',
  ],
  [
    "dotted keys that go deeper",
    'otel.metrics_exporter.otlp-http.endpoint = "u"\nmodel = "x"\notel.metrics_exporter.otlp-http.protocol = "json"\n',
    'otel.metrics_exporter = "none"\nmodel = "x"\n',
  ],
  [
    "dotted keys inside the table",
    '[otel]\n  metrics_exporter.otlp-http.endpoint = "u" # gone\n  metrics_exporter.otlp-http.protocol = "json"\n',
    '[otel]\n  metrics_exporter = "none"\n',
  ],
  [
    "an inline otel",
    'otel = { environment = "dev" } # c\n[tui]\n',
    'otel = { environment = "dev", metrics_exporter = "none" } # c\n[tui]\n',
  ],
  ["an empty inline otel", "otel = {}\n", 'otel = { metrics_exporter = "none" }\n'],
  [
    "an inline otel that has it",
    'otel = { metrics_exporter = "statsig", environment = "dev" }\n',
    'otel = { metrics_exporter = "none", environment = "dev" }\n',
  ],
  [
    "quoted keys",
    '["otel"]\n"environment" = \'dev\'\n"metrics_exporter" = \'statsig\' # q\n',
    '["otel"]\n"environment" = \'dev\'\n"metrics_exporter" = "none" # q\n',
  ],
  [
    "a text that only looks like the setting",
    'note = """\n[otel]\nmetrics_exporter = "statsig"\n"""\n# [otel]\n',
    'note = """\n[otel]\nmetrics_exporter = "statsig"\n"""\n# [otel]\n\n[otel]\nmetrics_exporter = "none"\n',
  ],
  ["arrays of tables", "[[x]]\na = 1\n[[x]]\n", '[[x]]\na = 1\n[[x]]\n\n[otel]\nmetrics_exporter = "none"\n'],
];

const set = (text: string) => setTomlValue(text, ["otel", "metrics_exporter"], "none");

test.each(cases)("%s", (_, before, after) => {
  expect(set(before)).toBe(after);
  expect(set(after)).toBe(after);
});

test.each(cases.filter(([, before]) => before.includes("\n")))("%s, CRLF", (_, before, after) => {
  expect(set(before.replaceAll("\n", "\r\n"))).toBe(after.replaceAll("\n", "\r\n"));
});

test("a byte order mark stays", () => {
  expect(set('\ufeffmodel = "x"\n')).toBe('\ufeffmodel = "x"\n\n[otel]\nmetrics_exporter = "none"\n');
});

test("what cannot be edited safely is left to the user", () => {
  expect([
    set("a = ["),
    set("otel = 3\n"),
    set('otel = { metrics_exporter.otlp-http.endpoint = "u" }\n'),
  ]).toEqual([undefined, undefined, undefined]);
});

test("a broken file is reported by line and column", () => {
  expect([parseToml('a = 1\nb = "x\n'), parseToml("a = 1\na = 2\n")]).toEqual([
    { error: { message: expect.any(String), line: 2, column: expect.any(Number) } },
    { error: { message: expect.stringMatching(/multiple times/), line: 2, column: 1 } },
  ]);
});

test("a setting's line, however it is written", () => {
  const path = ["otel", "metrics_exporter"];
  expect([
    findTomlLine("\n[otel]\na = 1\nmetrics_exporter = 1\n", path),
    findTomlLine("[otel.metrics_exporter.otlp-http]\n", path),
    findTomlLine("a = 1\n", path),
  ]).toEqual([4, 1, undefined]);
});
