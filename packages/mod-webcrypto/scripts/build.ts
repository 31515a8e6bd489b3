import { rm } from "node:fs/promises";
import { build } from "rolldown";
import { bundleOptions } from "./bundle-options.ts";

await rm(new URL("../dist", import.meta.url), { recursive: true, force: true });
await build(bundleOptions);
