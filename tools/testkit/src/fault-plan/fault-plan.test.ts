import { expect, test } from "vitest";
import { createFaultPlan } from "./fault-plan.ts";
import { type FaultRule, parseFaultRules } from "./schema.ts";

const takeAll = (rules: FaultRule[], requests: [method: string, url: string][]) => {
  const plan = createFaultPlan(rules);
  return requests.map(([method, url]) => plan.take(method, url)?.kind);
};

test("strikes from the nth match on, as often as it says, and then lets pass", () => {
  const rules: FaultRule[] = [{ match: { path: "^/a", nth: 2, times: 2 }, fault: { status: 500 } }];
  const urls = ["/a", "/b", "/a", "/a/b", "/a"];
  expect(
    takeAll(
      rules,
      urls.map((url) => ["GET", url]),
    ),
  ).toEqual([undefined, undefined, "status", "status", undefined]);
});

test("nth alone strikes once, neither of them always", () => {
  const once: FaultRule[] = [{ match: { nth: 2 }, fault: { delayMs: 1 } }];
  const always: FaultRule[] = [{ match: {}, fault: { delayMs: 1 } }];
  const gets: ["GET", string][] = [
    ["GET", "/"],
    ["GET", "/"],
    ["GET", "/"],
  ];
  expect(takeAll(once, gets)).toEqual([undefined, "delayMs", undefined]);
  expect(takeAll(always, gets)).toEqual(["delayMs", "delayMs", "delayMs"]);
});

test("a rule is for its method, and one that has run out gives way to the next", () => {
  const rules: FaultRule[] = [
    { match: { method: "put", times: 1 }, fault: { storedButError: 500 } },
    { match: { method: "PUT" }, fault: { cut: "answer" } },
  ];
  expect(
    takeAll(rules, [
      ["GET", "/x"],
      ["PUT", "/x"],
      ["PUT", "/x"],
    ]),
  ).toEqual([undefined, "storedButError", "cut"]);
});

test("what is about reads lets writes pass, to the next rule", () => {
  const rules: FaultRule[] = [
    { match: {}, fault: { staleReads: 1 } },
    { match: {}, fault: { status: 500 } },
  ];
  expect(
    takeAll(rules, [
      ["GET", "/x"],
      ["POST", "/x"],
      ["HEAD", "/x"],
    ]),
  ).toEqual(["staleReads", "status", "staleReads"]);
});

test.each([
  ["/repos/{owner}/{repo}/releases", "/repos/o/r/releases?per_page=100", true],
  ["/repos/{owner}/{repo}/releases", "/repos/o/r/releases/7", false],
  ["/{package}", "/@s%2fp", true],
  ["/{package}", "/@s/p", false],
  ["/a.b", "/aXb", false],
])("the route %s and %s: %s", (route, url, matches) => {
  expect(createFaultPlan([{ match: { route }, fault: { status: 500 } }]).take("GET", url) !== undefined).toBe(
    matches,
  );
});

test("a plan is data: it comes out of JSON as it went in", () => {
  const rules: FaultRule[] = [
    { match: { method: "POST", path: "x" }, fault: { cut: { requestAfterBytes: 10 } } },
    { match: { route: "/{a}" }, fault: { invisibleForPolls: 3 } },
  ];
  expect(parseFaultRules(JSON.parse(JSON.stringify(rules)))).toEqual(rules);
});

const noFault =
  "is none of status, delayMs, cut, storedButError, invisibleForPolls, staleReads, wrongBytes, or has a value that it cannot have";

test("all that is wrong is said at once", () => {
  const rules = [
    { match: { path: "(", nth: 0 }, fault: { status: 99 } },
    { match: { path: "a", route: "/a" }, fault: { cut: "later" } },
    { match: { nth: 1 }, fault: { staleReads: 1 } },
    { match: { method: "PUT" }, fault: { invisibleForPolls: 1 } },
    { match: { methods: "PUT" }, fault: { wrongBytes: false } },
  ];
  expect(() => parseFaultRules(rules)).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_TESTKIT_BAD_FAULT_PLAN",
      message: `the fault plan cannot be used:
  0.match.path: is no regular expression
  0.match.nth: Too small: expected number to be >=1
  0.fault.status: Too small: expected number to be >=200
  1.match: has path and route, choose one
  1.fault: ${noFault}
  2: counts reads itself: nth and times have no meaning beside it
  3: is for reads: the method is GET or HEAD, or left out
  4.match: Unrecognized key: "methods"
  4.fault: ${noFault}`,
    }),
  );
});
