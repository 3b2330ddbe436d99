/**
 * The console in a real browser, over a sandbox with many payouts: how soon a cold visitor sees and can use a page, and
 * whether the list stays smooth while somebody pulls it from one end to the other.
 *
 *   BENCH_ROWS    payouts in the sandbox, 100,000 unless named
 *   BENCH_ROUNDS  cold visits, 3 unless named
 *
 * The pages must be built: `npm run build`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { DevFile } from "../server/src/platform/secrets/home.ts";
import { ensureBrowser } from "../tools/ensure-browser.ts";
import { fillPayouts } from "./fill-payouts.ts";
import { apiAt } from "./payers.ts";
import { median, percentile, printReport } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const rows = Number(process.env["BENCH_ROWS"] ?? 100_000);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);

export async function benchConsole(): Promise<void> {
  const { path, environment } = await ensureBrowser();
  const stage = await openStage({ role: "all" });
  const browser = await chromium.launch({ executablePath: path, env: { ...process.env, ...environment } });
  try {
    await measure(stage, browser);
  } finally {
    await browser.close();
    await stage.close();
  }
}

async function measure(stage: Stage, browser: Browser): Promise<void> {
  const { home, cookies } = await signIn(stage, browser);
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round += 1) visits.push(await visitCold(browser, cookies, `${home}/transfers`));
  const walk = await walkThrough(browser, cookies, `${home}/transfers`);
  printReport(
    [
      { name: "cold visit: first row is seen", unit: "ms", values: visits.map(({ rowMs }) => rowMs) },
      { name: "cold visit: a click is answered", unit: "ms", values: visits.map(({ clickMs }) => clickMs) },
      { name: "cold visit: bytes over the wire", unit: "kB", values: visits.map(({ kilobytes }) => kilobytes) },
      { name: "a frame while the bar is pulled, p50", unit: "ms", values: [percentile(walk.frames, 0.5)] },
      { name: "a frame while the bar is pulled, p99", unit: "ms", values: [percentile(walk.frames, 0.99)] },
      { name: "the last row after that", unit: "ms", values: [walk.lastRowMs] },
      { name: "a row in the middle after a jump", unit: "ms", values: [walk.jumpMs] },
      { name: "memory of the page at the end", unit: "MB", values: [walk.megabytes] },
    ],
    [
      { name: "interactive, cold, ms", value: median(visits.map(({ clickMs }) => clickMs)), atMost: 1_000 },
      { name: "a frame while the bar is pulled, p99 ms", value: percentile(walk.frames, 0.99), atMost: 50 },
      { name: "the row after a jump, ms", value: Math.max(walk.lastRowMs, walk.jumpMs), atMost: 1_000 },
    ],
  );
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

async function signIn(stage: Stage, browser: Browser): Promise<{ readonly home: string; readonly cookies: Cookies }> {
  const { signInLink = "", secretKey = "" }: DevFile = JSON.parse(readFileSync(join(stage.home, "dev.json"), "utf8"));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(signInLink);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  const [home = "", environmentId = ""] = /^.*\/e\/([^/]+)/.exec(page.url()) ?? [];
  const cookies = await context.cookies();
  await context.close();
  const main = await apiAt(stage.port).get<{ accountId: string }>("/wallets/balance", secretKey);
  // The demo sandbox was opened with money, and its event stands where the first of the old payouts' will.
  await stage.admin.query("delete from events where environment_id = $1", [environmentId]);
  await fillPayouts(stage, [{ environmentId, key: secretKey, mainWallet: main.accountId, wallets: [] }], rows);
  return { home, cookies };
}

interface Visit {
  readonly rowMs: number;
  readonly clickMs: number;
  readonly kilobytes: number;
}

/** Nothing is cached: each visit has a browser context of its own. */
async function visitCold(browser: Browser, cookies: Cookies, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.locator("[data-row]").first().waitFor();
  const rowMs = performance.now() - started;
  // The palette opens only when the page's program listens.
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  const clickMs = performance.now() - started;
  const bytes = await page.evaluate(() =>
    performance
      .getEntries()
      .reduce((sum, entry) => sum + ("transferSize" in entry ? Number(entry.transferSize) : 0), 0),
  );
  await context.close();
  return { rowMs, clickMs, kilobytes: bytes / 1_000 };
}

interface Walk {
  readonly frames: readonly number[];
  readonly lastRowMs: number;
  readonly jumpMs: number;
  readonly megabytes: number;
}

/** Pulls the bar from the first row to the last, then jumps into the middle. */
async function walkThrough(browser: Browser, cookies: Cookies, url: string): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(url);
  await page.locator("[data-row]").first().waitFor();
  const frames = await pullTheBar(page);
  const lastRowMs = await timeUntil(page, "old-1");
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const jumpMs = await timeUntil(page, `old-${rows / 2}`);
  const megabytes = await page.evaluate(() => {
    const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } };
    return (memory?.usedJSHeapSize ?? Number.NaN) / 1_000_000;
  });
  await context.close();
  return { frames, lastRowMs, jumpMs, megabytes };
}

async function timeUntil(page: Page, reference: string): Promise<number> {
  const started = performance.now();
  await page.getByText(reference, { exact: true }).first().waitFor();
  return performance.now() - started;
}

/** Runs in the page: how long each frame took on the way from top to bottom in ten seconds. */
function pullTheBar(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const started = performance.now();
        let last = started;
        const step = (now: number): void => {
          frames.push(now - last);
          last = now;
          const done = Math.min(1, (now - started) / 10_000);
          window.scrollTo(0, document.documentElement.scrollHeight * done);
          if (done < 1) requestAnimationFrame(step);
          else resolve(frames.slice(1));
        };
        requestAnimationFrame(step);
      }),
  );
}
