import type { PlainAnswer, PlainRequest } from "./exchange.ts";

/** The answer with one byte in the middle changed. */
export function corruptAnswer(answer: PlainAnswer): PlainAnswer {
  return { ...answer, body: flipMiddle(answer.body) };
}

/** The request with one byte in the middle changed: of the tarball where it is an npm publish. */
export function corruptRequest(request: PlainRequest): PlainRequest {
  return { ...request, body: corruptAttachment(request.body) ?? flipMiddle(request.body) };
}

function flipMiddle(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = Math.floor(copy.length / 2);
  if (copy.length > 0) copy[middle] = copy[middle]! ^ 1;
  return copy;
}

/** npm sends the tarball as base64 within JSON: flipped there, it stays a body that a registry takes. */
function corruptAttachment(body: Buffer): Buffer | undefined {
  const start = '"data":"';
  const at = body.indexOf(start, Math.max(0, body.indexOf('"_attachments"')));
  if (body.indexOf('"_attachments"') === -1 || at === -1) return undefined;
  const from = at + start.length;
  const end = body.indexOf('"', from);
  const data = flipMiddle(Buffer.from(body.toString("latin1", from, end), "base64")).toString("base64");
  return Buffer.concat([body.subarray(0, from), Buffer.from(data), body.subarray(end)]);
}
