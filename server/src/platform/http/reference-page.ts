/**
 * The API references at /docs and /docs/operator: Scalar over our own documents, with everything it needs served from
 * here. Its bundle is several megabytes inside a plugin, so it is loaded when the first reader comes and not at every
 * start.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import helmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import Fastify, { type FastifyInstance } from "fastify";
import type { Audience } from "./openapi/document.ts";
import { references, scriptPath, settingsOf } from "./reference-settings.ts";

type Document = Record<string, unknown>;

interface ReferencePages {
  readonly html: Readonly<Record<Audience, string>>;
  readonly scriptGzip: Buffer;
  /** Let the pages' own inline scripts run, and no other. */
  readonly scriptHashes: string;
}

const compress = promisify(gzip);
const audiences = Object.keys(references) as Audience[];

/** The documents are made when somebody asks for them: that is not a part of every start. */
export function registerReferencePages(app: FastifyInstance, makeDocument: (audience: Audience) => Document): void {
  let loading: Promise<ReferencePages> | undefined;
  const load = (): Promise<ReferencePages> => {
    loading ??= renderPages();
    return loading;
  };
  for (const audience of audiences) registerDocument(app, references[audience].document, () => makeDocument(audience));
  let scriptHashes = "'none'";
  app.register(async (scope) => {
    // Helmet writes its headers in onRequest, and the hashes must be known by then.
    scope.addHook("onRequest", async () => {
      scriptHashes = (await load()).scriptHashes;
    });
    const headers = headersWith(() => scriptHashes);
    await scope.register(helmet, headers);
    for (const audience of audiences) {
      const { page } = references[audience];
      for (const path of [page, `${page}/`]) {
        scope.get(path, async (_, reply) => reply.type("text/html; charset=utf-8").send((await load()).html[audience]));
      }
    }
    scope.get(scriptPath, async (_, reply) =>
      reply
        .type("text/javascript; charset=utf-8")
        .header("content-encoding", "gzip")
        .header("cache-control", "public, max-age=3600")
        .send((await load()).scriptGzip),
    );
  });
}

function registerDocument(app: FastifyInstance, path: string, make: () => Document): void {
  let text: string | undefined;
  app.get(path, (_, reply) => {
    text ??= JSON.stringify(make());
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("x-content-type-options", "nosniff")
      .send(text);
  });
}

function headersWith(scriptHashes: () => string): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", "blob:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", "blob:"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Whether the public address is https is decided for all answers in one place.
    strictTransportSecurity: false,
  };
}

async function renderPages(): Promise<ReferencePages> {
  const pages = await Promise.all(audiences.map(async (audience) => [audience, await renderPage(audience)] as const));
  const script = pages[0]?.[1].script;
  if (script === undefined) throw new Error("there is no API reference to show");
  const html = Object.fromEntries(pages.map(([audience, page]) => [audience, page.html])) as Record<Audience, string>;
  const scriptHashes = pages.flatMap(([, page]) => hashesOf(page.html)).join(" ");
  return { html, scriptGzip: await compress(script), scriptHashes };
}

/** The plugin is asked once, in an app of its own, for the page and the script that it would serve. */
async function renderPage(audience: Audience): Promise<{ readonly html: string; readonly script: Buffer }> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const workshop = Fastify();
  await workshop.register(scalar, { routePrefix: "/docs", configuration: settingsOf(audience) });
  const html = (await workshop.inject("/docs/")).body;
  const script = (await workshop.inject("/docs/js/scalar.js")).rawPayload;
  await workshop.close();
  return { html, script };
}

function hashesOf(html: string): string[] {
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map((match) => match[1] ?? "");
  return inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
