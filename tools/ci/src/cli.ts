import { runCli } from "@codex-js/cli-kit";
import { defineCi } from "./define-ci.ts";

await runCli(defineCi);
