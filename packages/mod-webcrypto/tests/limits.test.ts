import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCases } from "./differential/run-cases.ts";
import { buildOperationServer, missingCargo } from "./native/build-crate.ts";
import { type NativeBridge, startNativeBridge } from "./native/native-bridge.ts";
import { bundleLayer, createLayerRealm, type Realm } from "./realm/test-realm.ts";

const BUILD_MS = 600_000;
const missing = await missingCargo();

/** What Node has no limit for: not compared with it, but held here. */
describe.skipIf(missing)(`limits of a mod${missing === undefined ? "" : `: ${missing}`}`, () => {
  let bridge: NativeBridge;
  let realm: Realm;
  const operations: string[] = [];

  beforeAll(async () => {
    bridge = startNativeBridge(await buildOperationServer());
    const watched: NativeBridge = {
      ...bridge,
      call: (operation, fields) => {
        operations.push(operation);
        return bridge.call(operation, fields);
      },
    };
    realm = createLayerRealm(await bundleLayer(), watched);
  }, BUILD_MS);

  afterAll(() => bridge?.stop());

  async function outcomeOf(program: string): Promise<{ outcome: unknown; operations: string[] }> {
    operations.length = 0;
    const outcomes = await runCases(realm, [{ id: "it", program }]);
    return { outcome: JSON.parse(outcomes.get("it")!), operations: [...operations] };
  }

  const refused = (error: string, made: string[] = []) => ({
    outcome: { error, dom: true },
    operations: made,
  });

  it("takes HMAC keys of 8,388,608 bits and no more", async () => {
    const program = (bits: number) => `
      const key = await subtle.generateKey({ name: "HMAC", hash: "SHA-256", length: ${bits} }, true, ["sign"]);
      return (await subtle.exportKey("raw", key)).byteLength;`;
    expect(await outcomeOf(program(8_388_608))).toEqual({
      outcome: { value: 1_048_576 },
      operations: ["random"],
    });
    expect(await outcomeOf(program(8_388_609))).toEqual(refused("OperationError"));
  });

  it("imports HMAC keys of 8,388,608 bits and no more", async () => {
    const program = (bytes: number) => `
      const hmac = { name: "HMAC", hash: "SHA-256" };
      const key = await subtle.importKey("raw", new Uint8Array(${bytes}), hmac, false, ["sign"]);
      return key.algorithm.length;`;
    expect(await outcomeOf(program(1_048_576))).toEqual({ outcome: { value: 8_388_608 }, operations: [] });
    expect(await outcomeOf(program(1_048_577))).toEqual(refused("DataError"));
  });

  it("derives 8,388,608 bits and no more", async () => {
    const program = (bits: number) => `
      const key = await subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]);
      const pbkdf2 = { name: "PBKDF2", hash: "SHA-512", salt: new Uint8Array(8), iterations: 1 };
      return (await subtle.deriveBits(pbkdf2, key, ${bits})).byteLength;`;
    expect(await outcomeOf(program(8_388_608))).toEqual({
      outcome: { value: 1_048_576 },
      operations: ["kdf.pbkdf2"],
    });
    expect(await outcomeOf(program(8_388_616))).toEqual(refused("OperationError"));
  });

  it("refuses more than 4,294,967,295 iterations while it reads them", async () => {
    const { outcome, operations: made } = await outcomeOf(`
      const key = await subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]);
      const pbkdf2 = { name: "PBKDF2", hash: "SHA-512", salt: new Uint8Array(8), iterations: 4294967296 };
      return subtle.deriveBits(pbkdf2, key, 8);`);
    expect({ outcome, made }).toEqual({ outcome: { error: "TypeError", dom: false }, made: [] });
  });
});
