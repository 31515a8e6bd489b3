import { runCli } from "@codex-js/cli-kit";
import { defineCli } from "./define-cli.ts";

await runCli(defineCli);
