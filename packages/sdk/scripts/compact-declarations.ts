import ts from "@typescript/typescript6";

/**
 * The same declarations in fewer bytes: without indentation, without blanks and semicolons that a line's end
 * or a bracket makes superfluous, doc comments without their margin of asterisks, property names without
 * quotes that they do not need. Every declaration, name and doc comment stays.
 * @throws Error when the result does not say the same
 */
export function compactDeclarations(code: string): string {
  const compact = printTokens(code);
  const [before, after] = [describe(code), describe(compact)];
  if (before.code !== after.code) throw new Error("compacting the declarations has changed a type");
  // More of them may belong to something now: not those that stood behind a bracket, before a line's end.
  let found = 0;
  for (const doc of after.docs) if (doc === before.docs[found]) found++;
  if (found < before.docs.length)
    throw new Error(`compacting has changed a doc comment: ${before.docs[found]}`);
  return compact;
}

function printTokens(code: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, code);
  let out = "";
  let previous = "";
  let beforePrevious = "";
  let lineEnd = false;
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    let text = scanner.getTokenText();
    if (kind === ts.SyntaxKind.NewLineTrivia) lineEnd = true;
    if (kind === ts.SyntaxKind.NewLineTrivia || kind === ts.SyntaxKind.WhitespaceTrivia) continue;
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      // Bundlers mark regions so; directives at the top are what counts.
      if (text.startsWith("///")) out += `${text}\n`;
      continue;
    }
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia) {
      // One that does not begin its line belongs to what is before it.
      if (text.startsWith("/**")) out += `${out.endsWith("\n") ? "" : "\n"}${compactComment(text)}`;
      continue;
    }
    if (kind === ts.SyntaxKind.StringLiteral && /^["'][A-Za-z_]\w*["']$/.test(text)) {
      const isFirst =
        previous === "{" || previous === ";" || (previous === "readonly" && beforePrevious !== ":");
      if (isFirst && /^\s*\??:/.test(code.slice(scanner.getTokenEnd()))) text = text.slice(1, -1);
    }
    if (text === "}" && out.endsWith("\n")) out = out.slice(0, -1);
    // A line's end ends a member as well, and can be read.
    if (text === ";") out += "\n";
    else out += separate(out, previous, lineEnd, text) + text;
    lineEnd = false;
    beforePrevious = previous;
    previous = text;
  }
  return `${out.trim()}\n`;
}

/** What has to stand between what is printed and the next token. */
function separate(out: string, previous: string, lineEnd: boolean, next: string): string {
  if (out === "" || out.endsWith("\n")) return "";
  if (lineEnd && previous === "}" && next !== "}" && !/^[|&;,>)\]]/.test(next)) return "\n";
  return /[\w$]$/.test(out) && /^[\w$]/.test(next) ? " " : "";
}

/** `/** text *​/`, with its lines but without their margin. */
function compactComment(text: string): string {
  const lines = text
    .slice(3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    // At the start of a line an asterisk would be taken for the margin.
    .map((line) => line.replace(/^(\s*)\* /, "$1- "));
  return `/** ${lines.join("\n").trim()} */`;
}

/** What declarations say, however they are written. */
function describe(code: string): { code: string; docs: string[] } {
  const file = ts.createSourceFile("index.d.ts", code, ts.ScriptTarget.Latest, true);
  const { parseDiagnostics } = file as unknown as { parseDiagnostics: ts.Diagnostic[] };
  const [fault] = parseDiagnostics;
  if (fault !== undefined) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, "\n"));
  const docs: string[] = [];
  const visit = (node: ts.Node): void => {
    for (const doc of ts.getJSDocCommentsAndTags(node)) {
      docs.push(
        doc
          .getText(file)
          .replace(/^\s*\*(?: |$)/gm, "")
          .replace(/[\s/*-]+/g, " ")
          .trim(),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const printed = ts.createPrinter({ removeComments: true }).printFile(file);
  return {
    code: printed.replace(/(?<=[{;]\s*(?:readonly )?)"([A-Za-z_]\w*)"(?=\??:)/g, "$1").replace(/\s+/g, " "),
    docs,
  };
}
