/** A person with a browser. What pages do behind that person's back is watched, and judged when the test ends. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Response } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { patienceMs } from "../../server/testing/patience.ts";
import { projectRoot } from "../e2e/server-process.ts";

export interface Visitor {
  readonly page: Page;
  /** Every request of this browser so far. */
  readonly requests: readonly Request[];
  /** What went wrong unseen; a test that ends with any has failed. */
  readonly complaints: string[];
  /** What the scripts so far weigh on the wire when they are compressed with gzip. */
  scriptBytes(): Promise<number>;
}

export interface Visit extends BrowserContextOptions {
  /** The only origins that pages may speak to; everything else is a leak. */
  readonly origins: readonly string[];
}

/** The policy stops things in silence; this makes it speak. */
const reportViolations = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("the content security policy (" + event.effectiveDirective + ") stopped " + event.blockedURI);
});`;

/** The browser writes this about refusals, which tests provoke; whether a page shows them well is for the test to say. */
const refusal = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** A browser of its own, without cookies or storage, that is closed when the test ends. */
export async function visit(browser: Browser, options: Visit): Promise<Visitor> {
  const visitor = await arrive(browser, options);
  const { page, complaints } = visitor;
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") await keepPicture(page, task.name);
    await page.context().close();
    expect(complaints, "what the browser complained about").toEqual([]);
  });
  return visitor;
}

/**
 * A person who stays from test to test, for many pages of one make: what the browser has fetched and compiled for one
 * serves the next, which saves a third of its work. The page stays where it is until the next test opens another: an
 * empty one between them would have a process of its own. After a test that failed somebody else comes.
 */
export function regularVisitor(browser: Browser, options: Visit): () => Promise<Visitor> {
  let known: Promise<Visitor> | undefined;
  afterAll(async () => {
    const visitor = await known;
    await visitor?.page.context().close();
    expect(visitor?.complaints ?? [], "what the browser complained about after the last test").toEqual([]);
  });
  return async () => {
    known ??= arrive(browser, options);
    const { page, complaints, ...visitor } = await known;
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") {
        known = undefined;
        await keepPicture(page, task.name);
        await page.context().close();
      }
      expect(complaints.splice(0), "what the browser complained about").toEqual([]);
    });
    return { page, complaints, ...visitor };
  };
}

async function arrive(browser: Browser, { origins, ...options }: Visit): Promise<Visitor> {
  const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-NG", ...options });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(reportViolations);
  // It runs on by itself until somebody stops it.
  await context.clock.install();
  const requests: Request[] = [];
  const scripts: Response[] = [];
  const complaints = watch(context, origins);
  context.on("request", (request) => requests.push(request));
  context.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  const scriptBytes = async () => {
    const bodies = await Promise.all(scripts.map((script) => script.body()));
    return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  };
  return { page: await context.newPage(), requests, complaints, scriptBytes };
}

function watch(context: BrowserContext, origins: readonly string[]): string[] {
  const complaints: string[] = [];
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !origins.includes(origin)) complaints.push(`asked outside: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} from ${response.url()}`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
  context.on("console", (message) => {
    const matters = message.type() === "error" || message.type() === "warning";
    if (matters && !refusal.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  return complaints;
}

async function keepPicture(page: Page, testName: string): Promise<void> {
  const folder = join(projectRoot, "test-results", "failures");
  mkdirSync(folder, { recursive: true });
  const file = `${testName.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}
