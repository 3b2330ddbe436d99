/** Which pages a browser can open, what each may do there: hosted pages, documentation, the console, a demo shop. */
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Trial } from "../platform/http/openapi/reference-page.ts";
import { readWebBuild, registerWebPages, type WebBuild, type WebPage } from "../platform/http/reply/web-pages.ts";
import { registerShop } from "../shop/routes.ts";
import { registerDocsSite, sitePages } from "./docs-site.ts";

const builtPages = join(import.meta.dirname, "..", "..", "..", "web", "dist");

/** Everything from here and nothing else, in no frame, and no text that becomes script. */
const common = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];
const pagePolicy = [...common, "form-action 'self'"].join("; ");
/**
 * No form of the card page is ever sent by the browser itself: a number leaves it in one request, to the vault. A rail
 * whose vault has an address of its own needs that address here, in connect-src.
 */
const cardPolicy = [...common, "form-action 'none'"].join("; ");

const hostedPages: readonly WebPage[] = [
  { path: "/checkout/:sessionId", file: "checkout/index.html", contentSecurityPolicy: pagePolicy },
  { path: "/plans/:pageId", file: "plan/index.html", contentSecurityPolicy: pagePolicy },
  { path: "/card-links/:linkId", file: "card/index.html", contentSecurityPolicy: cardPolicy },
];

const shopPages: readonly WebPage[] = ["/shop", "/shop/", "/shop/order"].map((path) => ({
  path,
  file: "shop/index.html",
  contentSecurityPolicy: pagePolicy,
}));

/** One page, which finds out from its address what to show, also that there is nothing. No path of its API is here. */
const consolePages: readonly WebPage[] = [
  "/console",
  "/console/",
  "/console/:page",
  "/console/e/*",
  "/console/operator/*",
].map((path) => ({
  path,
  file: "console/index.html",
  contentSecurityPolicy: pagePolicy,
}));

export interface PagesOptions {
  readonly publicUrl: string;
  /** The key of the demo merchant, if there is one: then the demo shop is open. */
  readonly demoKey: string | undefined;
  /** What a reader at this machine is given to try. */
  readonly trial: Trial | undefined;
}

let keptBuild: WebBuild | null = null;

/** Once for a process, also where it serves several apps: to read all files and to compute their tags takes a while. */
function builtOnce(): WebBuild | null {
  keptBuild ??= readWebBuild(builtPages);
  return keptBuild;
}

export function registerPages(app: FastifyInstance, { publicUrl, demoKey, trial }: PagesOptions): void {
  const build = builtOnce();
  const shop = demoKey === undefined ? [] : shopPages;
  registerWebPages(app, build, [...hostedPages, ...consolePages, ...shop, ...sitePages(build, pagePolicy)]);
  registerDocsSite(app, { publicUrl, trial });
  if (demoKey !== undefined) registerShop(app, { publicUrl, secretKey: demoKey, apiUrl: () => ownAddress(app) });
}

/** The public address may lead over a proxy that this machine cannot reach; the socket is always there. */
export function ownAddress(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`;
  return family === "IPv6" ? `http://[${address}]:${port}` : `http://${address}:${port}`;
}
