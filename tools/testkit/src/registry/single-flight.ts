import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type RequestedTarball, readRequestedTarball } from "./requested-tarball.ts";

/**
 * Lets one client at a time fetch a tarball that is not stored yet; the others get it from the storage
 * afterwards. verdaccio would download it once for each of them, and the engine is 170 MB.
 * @param dropDamaged called before a stored tarball is served
 */
export function createSingleFlight(
  storageDir: string,
  dropDamaged: (tarball: RequestedTarball) => Promise<void>,
) {
  const flights = new Map<string, Promise<void>>();

  return async function waitForTurn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tarball = readRequestedTarball(storageDir, request);
    if (tarball === undefined) return;
    const { file } = tarball;
    // verdaccio renames the file into its place when it is complete. A flight that failed left none,
    // and the next in the queue tries again.
    await dropDamaged(tarball);
    for (let flight = flights.get(file); flight !== undefined; flight = flights.get(file)) {
      if (existsSync(file)) return;
      await flight;
    }
    if (existsSync(file) || response.destroyed) return;
    flights.set(
      file,
      waitUntilStored(response, file).then(() => void flights.delete(file)),
    );
  };
}

const storeDeadlineMs = 5000;

/** A client has its last byte a moment before verdaccio has renamed the file. */
async function waitUntilStored(response: ServerResponse, file: string): Promise<void> {
  await new Promise<void>((resolve) => response.once("close", resolve));
  if (!response.writableFinished || response.statusCode !== 200) return;
  const deadline = Date.now() + storeDeadlineMs;
  while (!existsSync(file) && Date.now() < deadline) await sleep(10);
}
