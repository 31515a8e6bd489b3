import { rm } from "node:fs/promises";
import { build } from "rolldown";
import { installScript, layerScript } from "./bundle-options.ts";

await rm(new URL("../dist", import.meta.url), { recursive: true, force: true });
for (const script of [installScript, layerScript]) await build(script);
