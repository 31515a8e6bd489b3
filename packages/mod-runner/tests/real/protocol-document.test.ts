import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LineSession } from "../../probes/lines/line-session.ts";
import { realRunner } from "./real-runner.ts";

const document = readFileSync(join(import.meta.dirname, "../../PROTOCOL.md"), "utf8");
const section = document.split(/^### /m).find((part) => part.startsWith("By hand\n"))!;
const lines = [...section.matchAll(/^```text\n(.*)\n```$/gm)].map(([, line]) => line!);

describe.skipIf(realRunner === undefined)("PROTOCOL.md's lines to paste", () => {
  test("are understood as they stand, and answered as it says", async () => {
    await using session = await LineSession.start(realRunner!);
    const [callback, request, reply, result] = lines;
    session.write(`${callback}\n`);
    expect(await session.receive()).toEqual(JSON.parse(request!));
    session.write(`${reply}\n`);
    const { usage, ...answer } = JSON.parse(result!);
    expect(await session.receive()).toEqual({
      ...answer,
      usage: Object.fromEntries(Object.keys(usage).map((name) => [name, expect.any(Number)])),
    });
  });
});
