import { expect, test } from "vitest";
import { parseFailedTasks } from "./parse-turbo-output.ts";

test("each failed task with its own lines, without what turbo and pnpm print around them", () => {
  const output = `
   • turbo 2.11.11
@x/a:typecheck: cache miss, executing 8ab86e55b6e359db
@x/a:typecheck: $ tsc -p tsconfig.json
@x/a:typecheck: src/index.ts(1,1): error TS2300: Duplicate
@x/a:typecheck:   in detail
@x/a:typecheck: [ELIFECYCLE] Command failed with exit code 1.
@x/b:build: cache miss, executing 8ab86e55b6e359db
@x/b:build: error: no engine
@x/b:build:
@x/a#typecheck:  WARNING  command finished with error, but continuing...
@x/a#typecheck:  ERROR  command (/x/a) /bin/pnpm run typecheck exited (1)
@x/b#build:  ERROR  command (/x/b) /bin/pnpm run build exited (3)
 ERROR  run failed: command  exited (1)

Failed:    @x/a#typecheck, @x/b#build
`;
  expect(parseFailedTasks(output)).toEqual([
    {
      package: "@x/a",
      task: "typecheck",
      lines: ["src/index.ts(1,1): error TS2300: Duplicate", "  in detail"],
    },
    { package: "@x/b", task: "build", lines: ["error: no engine"] },
  ]);
});

test("nothing failed", () => {
  expect(parseFailedTasks("   • turbo 2.11.11\n Tasks:    1 successful, 1 total\n")).toEqual([]);
});
