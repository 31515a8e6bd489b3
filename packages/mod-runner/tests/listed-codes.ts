import { readFileSync } from "node:fs";

const codes = JSON.parse(readFileSync(new URL("../protocol/codes.json", import.meta.url), "utf8"));

/** Every code that a ModError can have: the protocol's, and the two of the host's own. */
export const listedCodes: string[] = [
  ...Object.keys(codes.errors),
  ...Object.keys(codes.hostErrors),
  "runner_busy",
  "invalid_argument",
];
