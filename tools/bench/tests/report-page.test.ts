import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withTempDir } from "@codex-js/cli-kit";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { writeDocument } from "../src/document/write.ts";
import { writeReport } from "../src/report/write-report.ts";
import { createTimesExample, createTopologyExample } from "./example-documents.ts";
import { findChromium } from "./find-chromium.ts";

const executablePath = findChromium();
const screenshots = join(import.meta.dirname, "..", ".reports");

const views = ["light", "dark"].flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme: colorScheme as "light" | "dark", width })),
);

test.skipIf(executablePath === undefined)(
  "the page asks for nothing, logs nothing and overflows nowhere, light and dark, wide and narrow",
  async () => {
    await withTempDir("codex-js-report", async (dir) => {
      const inputs = [join(dir, "topology.json"), join(dir, "jsonl.json")];
      await writeDocument(inputs[0]!, createTopologyExample());
      await writeDocument(inputs[1]!, createTimesExample());
      const output = join(dir, "report.html");
      await writeReport(inputs, output);
      await mkdir(screenshots, { recursive: true });

      const browser = await chromium.launch({ executablePath: executablePath! });
      try {
        const seen = [];
        for (const { colorScheme, width } of views) {
          const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
          const requests: string[] = [];
          const messages: string[] = [];
          page.on("request", (request) => requests.push(request.url()));
          page.on("console", (message) => messages.push(message.text()));
          page.on("pageerror", (error) => messages.push(error.message));
          await page.goto(pathToFileURL(output).href);
          for (const details of await page.locator("summary").all()) await details.click();
          await page.screenshot({
            path: join(screenshots, `report-${colorScheme}-${width}.png`),
            fullPage: true,
          });
          seen.push({
            colorScheme,
            width,
            requests: requests.filter((url) => !url.startsWith("data:")),
            messages,
            ...(await page.evaluate(lookAtPage)),
          });
          await page.close();
        }
        const page = { requests: [pathToFileURL(output).href], messages: [], overflow: [], plots: 3 };
        expect(seen).toEqual(
          views.map(({ colorScheme, width }) => {
            return { colorScheme, width, ...page, dark: colorScheme === "dark" };
          }),
        );
      } finally {
        await browser.close();
      }
    });
  },
);

/** Runs inside of the page. */
function lookAtPage() {
  const { document, getComputedStyle, innerWidth } = globalThis as unknown as BrowserGlobals;
  // What scrolls in a box of its own may be wider than the page.
  const wide = [...document.querySelectorAll("body *")].filter(
    (element) =>
      element.closest(".scroll table") === null && element.getBoundingClientRect().right > innerWidth + 1,
  );
  const [red = 255] = (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number);
  return {
    overflow: wide.map((element) => element.outerHTML.slice(0, 80)),
    plots: document.querySelectorAll(".plot").length,
    dark: red < 128,
  };
}

/** The little of a browser that is used above; the repository's types are those of Node. */
interface BrowserGlobals {
  innerWidth: number;
  getComputedStyle(element: unknown): { backgroundColor: string };
  document: {
    body: unknown;
    querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
  };
}

interface PageElement {
  outerHTML: string;
  closest(selector: string): unknown;
  getBoundingClientRect(): { right: number };
}
