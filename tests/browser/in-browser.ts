/** Groups tests that share a server and a browser. Where no browser can be had, they are left out and that is said. */
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { describe } from "vitest";
import { ensureBrowser, type InstalledBrowser, NoBrowserError } from "../../tools/ensure-browser.ts";
import { demoMerchant, type Merchant, type Product, shareProduct, startProduct } from "./product.ts";
import { regularVisitor, type Visitor, visit } from "./visitor.ts";

export interface World extends Product {
  /** Whose console `enterConsole` opens: this file's own. On a server of the file's own it is the demo merchant. */
  merchant(): Promise<Merchant>;
  /** A new person, who has never been here. */
  visit(options?: BrowserContextOptions): Promise<Visitor>;
  /** The person whom the tests before had, on the page where the last one left off. */
  visitAgain(): Promise<Visitor>;
}

/** A whole walk with its looks takes seconds; the rest is for machines that have other things to do. */
const longestTestMs = 180_000;

const installed = await browserOrNone();

/** "alone" is for tests of what all merchants see: the operator's pages, the status page, the demo shop. */
export function describeInBrowser(
  name: string,
  tests: (world: World) => void,
  company: "shared" | "alone" = "shared",
): void {
  describeWithBrowser(name, async (browser) => {
    const isShared = company === "shared";
    const product = await (isShared ? shareProduct() : startProduct());
    let merchant: Promise<Merchant> | undefined;
    const origins = [product.baseUrl, new URL(product.merchantSite.url).origin];
    tests({
      ...product,
      merchant: () => {
        merchant ??= isShared ? product.openMerchant() : demoMerchant(product);
        return merchant;
      },
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

let shared: Promise<Browser> | undefined;

/** One for all files of a worker: what belongs to a person is in a context of its own. */
function openBrowser({ path, environment }: InstalledBrowser): Promise<Browser> {
  const env = { ...process.env, ...environment };
  shared ??= chromium.launch({ executablePath: path, args: [withoutOptimising], env });
  return shared;
}
