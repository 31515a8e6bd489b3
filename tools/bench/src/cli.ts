#!/usr/bin/env node
import { runCli } from "@codex-js/cli-kit";
import { defineBench } from "./program.ts";

await runCli(defineBench);
