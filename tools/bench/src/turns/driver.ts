// Runs inside of the measured runtime: `<runtime> driver.ts <Drive as JSON>`. Prints a DriveResult.
import type { Drive, DriveResult } from "./drive.ts";
import { timeTurns } from "./drive.ts";
import { createBareDriver } from "./drive-bare.ts";
import { createSdkDriver, type SdkModule } from "./drive-sdk.ts";

const drive = JSON.parse(process.argv[2] ?? "") as Drive;
const loadFrom = performance.now();
const sdk = await loadSdk();
const loadMs = performance.now() - loadFrom;
const times = await timeTurns(drive.turns, () =>
  sdk === undefined ? createBareDriver(drive) : createSdkDriver(sdk, drive),
);
console.log(JSON.stringify({ loadMs, ...times } satisfies DriveResult));

async function loadSdk(): Promise<SdkModule | undefined> {
  if (drive.way === "bare") return undefined;
  if (drive.way === "official") return (await import("@openai/codex-sdk")) as SdkModule;
  return import(drive.sdk);
}
