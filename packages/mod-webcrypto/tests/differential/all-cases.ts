import type { Case } from "./case.ts";
import { aesCbcCases, aesCtrCases, aesGcmCases, aesKeyCases, aesKwCases } from "./cases/aes.ts";
import {
  agreedKeyCases,
  agreementCases,
  deriveKeyCases,
  hkdfCases,
  pbkdf2Cases,
} from "./cases/derivation.ts";
import { digestCases, hmacCases } from "./cases/digests-and-macs.ts";
import { globalCases } from "./cases/globals.ts";
import { interfaceCases } from "./cases/interfaces.ts";
import { jwkCases } from "./cases/jwk.ts";
import { notOfferedCases } from "./cases/not-offered.ts";
import { publicKeyCases } from "./cases/public-keys.ts";
import { usageCases } from "./cases/usages.ts";
import { wrappingCases } from "./cases/wrapping.ts";

/** Every case by its area. The list is the same each time: nothing in it is random. */
export function allCases(): { [area: string]: Case[] } {
  return {
    digest: digestCases(),
    hmac: hmacCases(),
    "aes-keys": aesKeyCases(),
    "aes-ctr": aesCtrCases(),
    "aes-cbc": aesCbcCases(),
    "aes-gcm": aesGcmCases(),
    "aes-kw": aesKwCases(),
    hkdf: hkdfCases(),
    pbkdf2: pbkdf2Cases(),
    agreement: [...agreementCases(), ...agreedKeyCases()],
    "derive-key": deriveKeyCases(),
    "public-keys": publicKeyCases(),
    jwk: jwkCases(),
    usages: usageCases(),
    wrapping: wrappingCases(),
    interfaces: interfaceCases(),
    globals: globalCases(),
    "not-offered": notOfferedCases(),
  };
}
