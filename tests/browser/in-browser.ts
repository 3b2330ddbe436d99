/** Groups tests that share a server and a browser. Where no browser can be had, they are left out and that is said. */
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, describe } from "vitest";
import { ensureBrowser, type InstalledBrowser, NoBrowserError } from "../../tools/ensure-browser.ts";
import { type Product, startProduct } from "./product.ts";
import { regularVisitor, type Visitor, visit } from "./visitor.ts";

export interface World extends Product {
  /** A new person, who has never been here. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /** The person whom the tests before had, on the page where the last one left off. */
  visitAgain(): Promise<Visitor>;
}

/** A whole walk with its looks takes seconds; the rest is for machines that have other things to do. */
const longestTestMs = 180_000;

const installed = await browserOrNone();

export function describeInBrowser(name: string, tests: (world: World) => void): void {
  describeWithBrowser(name, async (browser) => {
    const product = await startProduct();
    const origins = [product.baseUrl, new URL(product.merchantSite.url).origin];
    tests({
      ...product,
      visit: (options = {}) => visit(browser, { origins, ...options }),
      visitAgain: regularVisitor(browser, { origins }),
    });
  });
}

/** For tests that bring their own pages. */
export function describeWithBrowser(name: string, tests: (browser: Browser) => Promise<void>): void {
  describe.runIf(installed !== undefined)(name, { timeout: longestTestMs }, async () => {
    if (installed !== undefined) await tests(await openBrowser(installed));
  });
}

/** CI must not stay green without these tests; a person without a browser may still run the others. */
async function browserOrNone(): Promise<InstalledBrowser | undefined> {
  try {
    return await ensureBrowser();
  } catch (error) {
    if (!(error instanceof NoBrowserError) || process.env["CI"] === "true") throw error;
    console.warn(`The tests in the browser are left out. ${error.message}`);
    return undefined;
  }
}

/** No page is open for long enough to earn back what the optimising compilers take. */
const withoutOptimising = "--js-flags=--no-opt,--no-maglev";

async function openBrowser({ path, environment }: InstalledBrowser): Promise<Browser> {
  const env = { ...process.env, ...environment };
  const browser = await chromium.launch({ executablePath: path, args: [withoutOptimising], env });
  afterAll(() => browser.close());
  return browser;
}
