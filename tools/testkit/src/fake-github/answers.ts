import type { Answer, Call } from "./call.ts";

const documentationUrl = "https://docs.github.com/rest";

export const notFound: Answer = error(404, "Not Found");

/** With `status` in the body, as GitHub has it for all but validation errors. */
export function error(status: number, message: string): Answer {
  return { status, json: { message, documentation_url: documentationUrl, status: String(status) } };
}

export interface FieldProblem {
  resource: string;
  code: "already_exists" | "custom" | "invalid" | "missing_field";
  field?: string;
  message?: string;
}

export function invalid(...errors: FieldProblem[]): Answer {
  return { status: 422, json: { message: "Validation Failed", documentation_url: documentationUrl, errors } };
}

/** A refusal in words alone, as git's operations have it. */
export function refused(message: string): Answer {
  return { status: 422, json: { message, documentation_url: documentationUrl } };
}

/** One page of them, with the links to the others. */
export function page<Item>(
  call: Call,
  items: readonly Item[],
  show: (item: Item) => unknown,
  path: string,
): Answer {
  const size = Number(call.query.get("per_page") ?? 30);
  const number = Number(call.query.get("page") ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (to: number, rel: string) =>
    `<${call.urls.api}${path}?per_page=${size}&page=${to}>; rel="${rel}"`;
  return {
    status: 200,
    json: items.slice((number - 1) * size, number * size).map(show),
    headers: number < last ? { link: `${link(number + 1, "next")}, ${link(last, "last")}` } : {},
  };
}
