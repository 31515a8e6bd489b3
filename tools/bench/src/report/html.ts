/** Markup that is already safe; everything else is escaped when it is put into `html`. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Insertable = Markup | string | number | readonly (Markup | string | number)[] | false | undefined;

/** Builds markup from a template: inserted text is escaped, inserted markup is not. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Markup {
  const text = parts.map((part, index) => part + render(values[index])).join("");
  return new Markup(text);
}

function render(value: Insertable): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map((item) => render(item)).join("");
  return escapeText(String(value));
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
