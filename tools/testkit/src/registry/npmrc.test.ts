import { expect, test } from "vitest";
import { createNpmrc } from "./npmrc.ts";

test("names the registry and a token for exactly it", () => {
  expect(createNpmrc("http://127.0.0.1:4873/")).toBe(`registry=http://127.0.0.1:4873/
//127.0.0.1:4873/:_authToken=none-needed
audit=false
fund=false
update-notifier=false
fetch-retries=2
fetch-retry-mintimeout=1000
fetch-retry-maxtimeout=5000
`);
});
