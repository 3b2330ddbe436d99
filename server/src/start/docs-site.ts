/**
 * The documentation site at /docs, as it was built, and what programs read of it. The API references are beside it, at
 * /docs/reference and /docs/operator.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Trial } from "../platform/http/openapi/reference-page.ts";
import { sendPresented } from "../platform/http/reply/replies.ts";
import type { WebBuild, WebPage } from "../platform/http/reply/web-pages.ts";

const text = "default-src 'none'; frame-ancestors 'none'";

const forPrograms: readonly WebPage[] = [
  { path: "/llms.txt", file: "docs/llms.txt", contentSecurityPolicy: text, isPublic: true },
  { path: "/llms-full.txt", file: "docs/llms-full.txt", contentSecurityPolicy: text, isPublic: true },
  { path: "/docs/postman.json", file: "docs/postman.json", contentSecurityPolicy: text, isPublic: true },
];

/** A page for each file of the site. Before anything was built there is the first one, which says so. */
export function sitePages(build: WebBuild | null, contentSecurityPolicy: string): WebPage[] {
  const first = "docs/index.html";
  const names = [...(build?.keys() ?? [])].filter((path) => /^docs\/[\w-]+\.html$/.test(path) && path !== first);
  const page = (path: string, file: string): WebPage => ({ path, file, contentSecurityPolicy, isPublic: true });
  return [
    page("/docs", first),
    page("/docs/", first),
    ...names.map((file) => page(`/${file.replace(/\.html$/, "")}`, file)),
    ...forPrograms,
  ];
}

interface SiteOptions {
  readonly publicUrl: string;
  readonly trial: Trial | undefined;
}

export function registerDocsSite(app: FastifyInstance, { publicUrl, trial }: SiteOptions): void {
  // What the pages' own script fills into examples. It is for the reader at this machine, and for no other page.
  app.get("/docs/trial.json", (request, reply) => {
    const isOurs = trial?.isAtHome(request) === true && isAskedByOurPage(request);
    const data = isOurs ? { baseUrl: publicUrl, secretKey: trial.secretKey } : null;
    const message = isOurs ? "The sandbox of this machine" : "No sandbox is open to this reader";
    const headers = { "cross-origin-resource-policy": "same-origin" };
    return sendPresented(reply, { status: 200, body: JSON.stringify({ status: true, message, data }) }, headers);
  });

  const signpost = JSON.stringify({
    status: true,
    message: "This is a Jara server. The documentation is at data.docs.",
    data: {
      docs: `${publicUrl}/docs`,
      openapi: `${publicUrl}/openapi.json`,
      postman: `${publicUrl}/docs/postman.json`,
      llms: `${publicUrl}/llms.txt`,
    },
  });
  app.get("/", (request, reply) => {
    reply.header("vary", "accept");
    if (/\btext\/html\b/.test(request.headers.accept ?? "")) return reply.redirect("/docs");
    return sendPresented(reply, { status: 200, body: signpost });
  });
}

/** Browsers say which page asks. There is no CORS header either, so a page of another origin could not read the reply. */
function isAskedByOurPage({ headers, host }: FastifyRequest): boolean {
  const { origin, "sec-fetch-site": site = "same-origin" } = headers;
  return site === "same-origin" && (origin === undefined || origin === `http://${host}`);
}
