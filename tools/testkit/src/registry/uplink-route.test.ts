import { expect, test } from "vitest";
import { describeUplink } from "./uplink-route.ts";

test.each([
  ["alone", { url: "https://npm.corp.test/" }, {}, "https://npm.corp.test/"],
  [
    "behind a proxy of the environment, whose password is not shown",
    { url: "https://npm.corp.test/" },
    { HTTPS_PROXY: "http://me:secret@proxy.test:8080" },
    "https://npm.corp.test/ (through the proxy http://***@proxy.test:8080)",
  ],
  [
    "behind npm's own proxy, with a scope elsewhere",
    {
      url: "https://npm.corp.test/",
      proxy: "http://own.test/",
      scopes: { "@openai": { url: "https://mirror.test/" } },
    },
    { HTTPS_PROXY: "http://proxy.test:8080" },
    "https://npm.corp.test/ (@openai from https://mirror.test/, through the proxy http://own.test/)",
  ],
  [
    "past the proxy",
    { url: "https://npm.corp.test/" },
    { HTTPS_PROXY: "http://proxy.test:8080", NO_PROXY: "x.test, corp.test" },
    "https://npm.corp.test/",
  ],
])("%s", (_, uplink, env, text) => {
  expect(describeUplink(uplink, env)).toBe(text);
});
