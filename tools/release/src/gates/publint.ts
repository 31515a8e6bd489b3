import { readFile } from "node:fs/promises";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import type { GateProblem } from "./gate.ts";

/** Whether Node, bundlers and npm will find in the tarball what its manifest promises. */
export async function checkPublint(name: string, tarballFile: string): Promise<GateProblem[]> {
  const bytes = await readFile(tarballFile);
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball }, level: "warning", strict: true });
  return messages.map((message) => ({
    package: name,
    message: formatMessage(message, pkg, { color: false }) ?? message.code,
    hint: `https://publint.dev/rules#${message.code.toLowerCase()}`,
  }));
}
