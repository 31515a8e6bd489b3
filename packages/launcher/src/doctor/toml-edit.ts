import { isDeepStrictEqual } from "node:util";
import type { AST } from "toml-eslint-parser";
import { formatKeyPath, formatValue, type TomlValue } from "./toml-literal.ts";
import { getStaticTOMLValue, ParseError, parseTOML } from "./toml-parser.ts";

interface TomlSyntaxError {
  message: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

export type TomlTable = { [key: string]: TomlValue };

export type ParsedToml = { value: TomlTable } | { error: TomlSyntaxError };

/** Parses a document and says where it is broken. */
export function parseToml(text: string): ParsedToml {
  try {
    return { value: getStaticTOMLValue(parseTOML(withoutBom(text))) as TomlTable };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { error: { message: error.message, line: error.lineNumber, column: error.column + 1 } };
  }
}

/**
 * Sets `path` to `value` and leaves every other byte as it is: comments, blank lines, line ends, quotes.
 * A table that stood at `path` goes, wherever its parts were written.
 *
 * @returns undefined where no such edit can be made safely; the result is parsed and compared, so that what
 * is returned differs from `text` in that one setting and nothing else
 */
export function setTomlValue(
  text: string,
  path: readonly [string, ...string[]],
  value: TomlValue,
): string | undefined {
  const before = parseToml(text);
  if ("error" in before) return undefined;
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const edited = bom + applyEdits(withoutBom(text), planEdits(withoutBom(text), path, formatValue(value)));
  const after = parseToml(edited);
  if ("error" in after || !isDeepStrictEqual(after.value, withValue(before.value, path, value))) {
    return undefined;
  }
  return edited;
}

/** Line (from 1) that sets `path` or a part of it; undefined where nothing does. */
export function findTomlLine(text: string, path: readonly string[]): number | undefined {
  const found = listDefinitions(withoutBom(text)).find((one) => startsWith(one.path, path));
  return found?.node.loc.start.line;
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Something that defines `path`: a `key = value`, or a `[table]` with all that belongs to it. */
interface Definition {
  path: string[];
  node: AST.TOMLKeyValue | AST.TOMLTable;
  /** The inline table that it stands in. */
  inline: AST.TOMLInlineTable | undefined;
  /** How many of the path's keys the enclosing table has named. */
  depth: number;
}

function planEdits(text: string, path: readonly string[], literal: string): Edit[] {
  const definitions = listDefinitions(text);
  const exact = definitions.find(({ path: one, node }) => isKeyValue(node) && isDeepStrictEqual(one, path));
  if (exact !== undefined && isKeyValue(exact.node)) return [replace(exact.node.value.range, literal)];

  const parts = definitions.filter((one) => startsWith(one.path, path));
  const lineOf = (one: Definition) => readLines(text, one.node);
  const dotted = parts.find(({ node, inline }) => isKeyValue(node) && inline === undefined);
  const tables = parts.filter(({ node }) => !isKeyValue(node));
  const removals = parts
    .filter((one) => one.inline === undefined && !isInside(one, tables))
    .map((one): Edit => ({ ...lineOf(one), text: "" }));

  if (dotted !== undefined && isKeyValue(dotted.node) && !isInside(dotted, tables)) {
    const last = dotted.node.key.keys[path.length - dotted.depth - 1]!;
    const key = text.slice(dotted.node.key.range[0], last.range[1]);
    const lines = lineOf(dotted);
    const indent = text.slice(lines.from, dotted.node.range[0]);
    const line = `${indent}${key} = ${literal}${newlineOf(text)}`;
    return removals.map((one) => (one.from === lines.from ? { ...one, text: line } : one));
  }
  const insertion = planInsertion(text, definitions, tables, path, literal);
  // A removed table may begin where the line goes that takes its place.
  const same = removals.find((one) => one.from === insertion.from && insertion.from === insertion.to);
  if (same === undefined) return [...removals, insertion];
  return removals.map((one) => (one === same ? { ...one, text: insertion.text } : one));
}

function planInsertion(
  text: string,
  definitions: readonly Definition[],
  removed: readonly Definition[],
  path: readonly string[],
  literal: string,
): Edit {
  const parent = path.slice(0, -1);
  const newline = newlineOf(text);
  const assignment = `${formatKeyPath(path.slice(-1))} = ${literal}`;
  const table = definitions.find(
    ({ path: one, node }) => !isKeyValue(node) && node.kind === "standard" && isDeepStrictEqual(one, parent),
  )?.node as AST.TOMLTable | undefined;
  if (table !== undefined) {
    const last = table.body.at(-1);
    const indent = last === undefined ? "" : indentOf(text, last);
    return insertLineAfter(text, last ?? table.key, `${indent}${assignment}`);
  }
  const inline = definitions.find(
    ({ path: one, node }) =>
      isKeyValue(node) && node.value.type === "TOMLInlineTable" && isDeepStrictEqual(one, parent),
  )?.node as AST.TOMLKeyValue | undefined;
  if (inline?.value.type === "TOMLInlineTable") return insertInline(inline.value, assignment);

  const sibling = definitions.findLast(
    ({ path: one, node, inline: within }) =>
      isKeyValue(node) && within === undefined && startsWith(one, parent),
  );
  if (sibling !== undefined && isKeyValue(sibling.node) && sibling.depth === 0) {
    return insertLineAfter(
      text,
      sibling.node,
      `${indentOf(text, sibling.node)}${formatKeyPath(path)} = ${literal}`,
    );
  }
  const header = `[${formatKeyPath(parent)}]${newline}${assignment}${newline}`;
  const below = definitions.find(({ path: one, node }) => !isKeyValue(node) && startsWith(one, parent));
  if (below !== undefined) {
    const { from } = readLines(text, below.node);
    // The table that goes leaves the blank line behind it.
    return { from, to: from, text: removed.includes(below) ? header : header + newline };
  }
  const gap = text === "" ? "" : text.endsWith("\n") ? newline : newline + newline;
  return { from: text.length, to: text.length, text: gap + header };
}

function insertInline({ range, body }: AST.TOMLInlineTable, assignment: string): Edit {
  const last = body.at(-1);
  if (last === undefined) return replace(range, `{ ${assignment} }`);
  return { from: last.range[1], to: last.range[1], text: `, ${assignment}` };
}

function insertLineAfter(text: string, node: AST.TOMLNode, line: string): Edit {
  const end = text.indexOf("\n", node.range[1]);
  const newline = newlineOf(text);
  if (end === -1) return { from: text.length, to: text.length, text: newline + line + newline };
  return { from: end + 1, to: end + 1, text: line + newline };
}

/** Every definition in the order of the text; those within arrays of tables belong to no path of ours. */
function listDefinitions(text: string): Definition[] {
  const found: Definition[] = [];
  const visit = (
    node: AST.TOMLKeyValue,
    prefix: readonly string[],
    depth: number,
    inline: AST.TOMLInlineTable | undefined,
  ) => {
    const path = [...prefix, ...readKey(node.key)];
    found.push({ path, node, inline, depth });
    if (node.value.type !== "TOMLInlineTable") return;
    for (const one of node.value.body) visit(one, path, path.length, node.value);
  };
  for (const node of parseTOML(text).body[0].body) {
    if (isKeyValue(node)) {
      visit(node, [], 0, undefined);
    } else if (node.resolvedKey.every((key) => typeof key === "string")) {
      const path = node.resolvedKey as string[];
      found.push({ path, node, inline: undefined, depth: 0 });
      for (const one of node.body) visit(one, path, path.length, undefined);
    }
  }
  return found;
}

function readKey(key: AST.TOMLKey): string[] {
  return key.keys.map((one) => (one.type === "TOMLBare" ? one.name : one.value));
}

const isKeyValue = (node: AST.TOMLNode): node is AST.TOMLKeyValue => node.type === "TOMLKeyValue";

const startsWith = (path: readonly string[], prefix: readonly string[]): boolean =>
  path.length >= prefix.length && prefix.every((key, index) => path[index] === key);

function isInside({ node }: Definition, tables: readonly Definition[]): boolean {
  return tables.some(({ node: table }) => "body" in table && (table.body as unknown[]).includes(node));
}

/** The whole lines that a definition stands on, the line end included. */
function readLines(text: string, node: AST.TOMLNode): { from: number; to: number } {
  const last = node.type === "TOMLTable" ? (node.body.at(-1) ?? node.key) : node;
  const end = text.indexOf("\n", last.range[1]);
  return { from: text.lastIndexOf("\n", node.range[0] - 1) + 1, to: end === -1 ? text.length : end + 1 };
}

function indentOf(text: string, node: AST.TOMLNode): string {
  return text.slice(text.lastIndexOf("\n", node.range[0] - 1) + 1, node.range[0]);
}

function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

const withoutBom = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

const replace = ([from, to]: readonly [number, number], text: string): Edit => ({ from, to, text });

function applyEdits(text: string, edits: readonly Edit[]): string {
  const lastFirst = [...edits].sort((one, other) => other.from - one.from || other.to - one.to);
  return lastFirst.reduce((done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to), text);
}

function withValue(table: TomlTable, [key, ...rest]: readonly string[], value: TomlValue): TomlTable {
  if (rest.length === 0) return { ...table, [key!]: value };
  const inner = table[key!];
  const isTable = typeof inner === "object" && !Array.isArray(inner);
  return { ...table, [key!]: withValue(isTable ? inner : {}, rest, value) };
}
