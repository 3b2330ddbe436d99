/**
 * The API references at /docs/reference and /docs/operator: Scalar over our own documents, with everything it needs
 * served from here. Its bundle is several megabytes inside a plugin, so it is loaded when the first reader comes and
 * not at every start. On a developer's own machine the page has the sandbox's key filled in, and examples that exist
 * there.
 */

import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import helmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { keysOf } from "../../keys-of.ts";
import type { Audience } from "./document.ts";
import { type Reader, readers, scriptPath, settingsOf } from "./reference-settings.ts";

type Document = Record<string, unknown>;
type MakeDocument = (audience: Audience) => Document;

/** Lets a developer try every operation with one click. */
export interface Trial {
  readonly secretKey: string;
  /** Whether this reader sits at the machine that the server runs on. */
  isAtHome(request: FastifyRequest): boolean;
  /** The document with examples that exist in the sandbox. */
  fill(document: Document): Promise<Document>;
}

interface ReferencePages {
  readonly html: Readonly<Record<Reader, string>>;
  readonly scriptGzip: Buffer;
  /** Let the pages' own inline scripts run, and no other. */
  readonly scriptHashes: string;
}

const compress = promisify(gzip);

/** The documents are made when somebody asks for them: that is not a part of every start. */
export function registerReferencePages(app: FastifyInstance, makeDocument: MakeDocument, trial?: Trial): void {
  let loading: Promise<ReferencePages> | undefined;
  const load = (): Promise<ReferencePages> => {
    loading ??= renderPages(trial?.secretKey);
    return loading;
  };
  registerDocuments(app, makeDocument, trial);
  let scriptHashes = "'none'";
  app.register(async (scope) => {
    // Helmet writes its headers in onRequest, and the hashes must be known by then.
    scope.addHook("onRequest", async () => {
      scriptHashes = (await load()).scriptHashes;
    });
    const headers = headersWith(() => scriptHashes);
    await scope.register(helmet, headers);
    const show = async (reply: FastifyReply, reader: Reader) =>
      reply
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-store")
        .send((await load()).html[reader]);
    for (const end of ["", "/"]) {
      const isAtHome = (request: FastifyRequest) => trial?.isAtHome(request) === true;
      scope.get(`/docs/reference${end}`, (request, reply) =>
        show(reply, isAtHome(request) ? "developer" : "integrator"),
      );
      scope.get(`/docs/operator${end}`, (_, reply) => show(reply, "operator"));
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

function registerDocuments(app: FastifyInstance, makeDocument: MakeDocument, trial: Trial | undefined): void {
  const texts = new Map<Audience, string>();
  const textOf = (audience: Audience): string => {
    const text = texts.get(audience) ?? JSON.stringify(makeDocument(audience));
    texts.set(audience, text);
    return text;
  };
  const send = (reply: FastifyReply, text: string) =>
    reply
      .header("content-type", "application/json; charset=utf-8")
      .header("x-content-type-options", "nosniff")
      .send(text);
  app.get(readers.integrator.document, (_, reply) => send(reply, textOf("integrators")));
  app.get(readers.operator.document, (_, reply) => send(reply, textOf("operators")));
  app.get(readers.developer.document, async (request, reply) => {
    if (trial?.isAtHome(request) !== true) return send(reply, textOf("integrators"));
    return send(reply, JSON.stringify(await trial.fill(JSON.parse(textOf("integrators")))));
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

async function renderPages(secretKey: string | undefined): Promise<ReferencePages> {
  const names = keysOf(readers);
  const pages = await Promise.all(names.map((reader) => renderPage(reader, secretKey)));
  const html = Object.fromEntries(pages.map((page) => [page.reader, page.html])) as Record<Reader, string>;
  const [{ script } = { script: "" }] = pages;
  const scriptHashes = pages.flatMap((page) => hashesOf(page.html)).join(" ");
  return { html, scriptGzip: await compress(script), scriptHashes };
}

/** The plugin is asked once, in an app of its own, for the page and the script that it would serve. */
async function renderPage(reader: Reader, secretKey: string | undefined) {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const workshop = Fastify();
  await workshop.register(scalar, { routePrefix: "/docs", configuration: settingsOf(reader, secretKey) });
  const html = (await workshop.inject("/docs/")).body;
  const script = (await workshop.inject("/docs/js/scalar.js")).rawPayload;
  await workshop.close();
  return { reader, html: withGreeting(html, readers[reader].title), script };
}

/**
 * Stands on the page until Scalar has drawn its own. A library inside Scalar tries whether the page lets it make code
 * at run time, which our policy forbids and the browser then complains about; the setting tells it not to try.
 */
function withGreeting(html: string, title: string): string {
  const greeting = `<style>#app:not(:empty) + #waiting { display: none }</style>
<script>globalThis.__zod_globalConfig = { jitless: true };</script>
<div id="app"></div><main id="waiting" style="font: 16px system-ui; margin: 4rem auto; max-width: 40rem">
<h1>${title}</h1><p>One moment, the reference is being drawn.</p></main>`;
  return html.replace("<html>", '<html lang="en">').replace('<div id="app"></div>', greeting);
}

function hashesOf(html: string): string[] {
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map((match) => match[1] ?? "");
  return inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
