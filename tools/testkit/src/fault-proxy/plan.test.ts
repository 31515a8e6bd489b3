import { expect, test } from "vitest";
import { createFaultPlan, type Fault } from "./plan.ts";

const fault: Fault = { type: "status", status: 500 };
const other: Fault = { type: "cut" };

test("skips, strikes, and then lets pass", () => {
  const plan = createFaultPlan([{ path: /^\/a/g, skip: 1, times: 2, fault }]);
  expect(["/a", "/b", "/a", "/a/b", "/a"].map((path) => plan.take("GET", path))).toEqual([
    undefined,
    undefined,
    fault,
    fault,
    undefined,
  ]);
});

test("a rule is for its method, and one that has run out gives way to the next", () => {
  const plan = createFaultPlan([
    { method: "put", path: /./, times: 1, fault },
    { method: "PUT", path: /./, fault: other },
  ]);
  expect(["GET", "PUT", "PUT", "PUT"].map((method) => plan.take(method, "/x"))).toEqual([
    undefined,
    fault,
    other,
    other,
  ]);
});
