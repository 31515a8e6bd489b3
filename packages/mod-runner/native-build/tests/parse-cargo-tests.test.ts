import { expect, test } from "vitest";
import { parseCargoTests } from "../scripts/parse-cargo-tests.ts";

const output = `   Compiling codex-js-strip v0.0.0
    Finished \`test\` profile [optimized] target(s) in 1.00s
     Running unittests src/lib.rs (target/debug/deps/codex_js_strip-0123456789abcdef)

running 3 tests
test tests::one ... ok
test tests::two ... FAILED
test tests::three ... ignored, needs root

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/vectors/main.rs (target/debug/deps/vectors-0123456789abcdef)
{"passed":10}
     Running tests/empty.rs (target/debug/deps/empty-0123456789abcdef)

running 0 tests

   Doc-tests codex_js_wire

running 1 test
test crates/wire/src/lib.rs - (line 3) ... ok
`;

test("each test with its program, and a program of another harness as one", () => {
  expect(parseCargoTests(output)).toEqual([
    { program: "codex_js_strip src/lib.rs", name: "tests::one", status: "passed" },
    { program: "codex_js_strip src/lib.rs", name: "tests::two", status: "failed" },
    { program: "codex_js_strip src/lib.rs", name: "tests::three", status: "ignored" },
    { program: "vectors tests/vectors/main.rs", name: "all of it", status: "passed" },
    { program: "codex_js_wire documentation", name: "crates/wire/src/lib.rs - (line 3)", status: "passed" },
  ]);
});

test("a program of another harness that cargo says has failed", () => {
  const failed = `${output}error: test failed, to rerun pass \`-p codex-js-crypto --test vectors\`\n`;
  expect(parseCargoTests(failed)).toContainEqual({
    program: "vectors tests/vectors/main.rs",
    name: "all of it",
    status: "failed",
  });
});

test("a test that says why it could not run is ignored", () => {
  const shown = `successes:

---- tests::one stdout ----
SKIPPED: starting processes as another user takes root

successes:
    tests::one
`;
  const [first, second] = parseCargoTests(output.replace("test result:", `${shown}\ntest result:`));
  expect(first).toMatchObject({
    name: "tests::one",
    status: "ignored",
    reason: "starting processes as another user takes root",
  });
  expect(second).toMatchObject({ status: "failed" });
});
