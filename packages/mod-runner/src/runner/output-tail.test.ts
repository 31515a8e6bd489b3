import { expect, test } from "vitest";
import { OutputTail } from "./output-tail.ts";

test("keeps the end, whatever the chunks", () => {
  const tail = new OutputTail(4);
  for (const chunk of ["a", "bc", "", "defghi"]) tail.push(Buffer.from(chunk));
  expect(tail.toString()).toBe("fghi");
  tail.push(Buffer.from("j"));
  expect(tail.toString()).toBe("ghij");
});
