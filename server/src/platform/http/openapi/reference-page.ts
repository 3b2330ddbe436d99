/**
 * The API references at /docs/reference and /docs/operator: Scalar over our own documents, with everything it needs
 * served from here. Its bundle is several megabytes inside a plugin, so it is loaded when the first reader comes and
 * not at every start. On a developer's own machine the page has the sandbox's key filled in, and examples that exist
 * there.
 */

import { createHash } from "node:crypto";
import helmet, { type FastifyHelmetOptions } from "@fastify/helmet";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { keysOf } from "../../keys-of.ts";
import { sendFile, type WebFile, webFileOf } from "../reply/web-pages.ts";
import type { Audience } from "./document.ts";

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
  readonly html: Readonly<Record<Reader, WebFile>>;
  readonly script: WebFile;
  /** Let the pages' own inline scripts run, and no other. */
  readonly scriptHashes: string;
}

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
    const show = async (request: FastifyRequest, reply: FastifyReply, reader: Reader) => {
      const file = (await load()).html[reader];
      // A developer's page has the key of the sandbox in it.
      return sendFile(request, reply, { file, headers: reader === "developer" ? neverKept : keptFor(file) });
    };
    for (const end of ["", "/"]) {
      const isAtHome = (request: FastifyRequest) => trial?.isAtHome(request) === true;
      scope.get(`/docs/reference${end}`, (request, reply) =>
        show(request, reply, isAtHome(request) ? "developer" : "integrator"),
      );
      scope.get(`/docs/operator${end}`, (request, reply) => show(request, reply, "operator"));
    }
    scope.get(scriptPath, async (request, reply) => {
      const { script } = await load();
      const headers = { ...keptFor(script), "cache-control": "public, max-age=3600" };
      return sendFile(request, reply, { file: script, headers });
    });
  });
}

function registerDocuments(app: FastifyInstance, makeDocument: MakeDocument, trial: Trial | undefined): void {
  const files = new Map<Audience, Promise<WebFile>>();
  const fileOf = (audience: Audience): Promise<WebFile> => {
    const file = files.get(audience) ?? webFileOf(jsonType, JSON.stringify(makeDocument(audience)));
    files.set(audience, file);
    return file;
  };
  const send = async (request: FastifyRequest, reply: FastifyReply, audience: Audience) => {
    const file = await fileOf(audience);
    return sendFile(request, reply, { file, headers: keptFor(file) });
  };
  app.get(readers.integrator.document, (request, reply) => send(request, reply, "integrators"));
  app.get(readers.operator.document, (request, reply) => send(request, reply, "operators"));
  app.get(readers.developer.document, async (request, reply) => {
    if (trial?.isAtHome(request) !== true) return send(request, reply, "integrators");
    const filled = await trial.fill(JSON.parse((await fileOf("integrators")).plain.toString()));
    return reply.headers(neverKept).type(jsonType).send(JSON.stringify(filled));
  });
}

const jsonType = "application/json; charset=utf-8";
const everyReply = { "x-content-type-options": "nosniff", vary: "accept-encoding" } as const;
const neverKept = { ...everyReply, "cache-control": "no-store" } as const;

/** Several hundred kilobytes that change with the release: whoever has them asks for no more than whether they hold. */
const keptFor = ({ tag }: WebFile) => ({ ...everyReply, "cache-control": "public, no-cache", etag: tag });

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
  const files = pages.map(async ({ reader, html }) => [reader, await webFileOf("text/html; charset=utf-8", html)]);
  const html = Object.fromEntries(await Promise.all(files)) as Record<Reader, WebFile>;
  const [{ script } = { script: "" }] = pages;
  const scriptHashes = pages.flatMap((page) => hashesOf(page.html)).join(" ");
  return { html, script: await webFileOf("text/javascript; charset=utf-8", script), scriptHashes };
}

/** The plugin is asked once, in an app of its own, for the page and the script that it would serve. */
async function renderPage(reader: Reader, secretKey: string | undefined) {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const workshop = Fastify();
  await workshop.register(scalar, { routePrefix: "/docs", configuration: settingsOf(reader, secretKey) });
  const html = (await workshop.inject("/docs/")).body;
  const script = (await workshop.inject("/docs/js/scalar.js")).body;
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

/** How Scalar shows our references: the document, the key that it asks for, and its looks. */
const scriptPath = "/docs/scalar.js";

/** Who reads, which document they are shown, and how they authenticate. The developer sits at the server's machine. */
const readers = {
  integrator: { document: "/openapi.json", scheme: "secretKey", title: "Jara API reference" },
  developer: { document: "/docs/openapi.json", scheme: "secretKey", title: "Jara API reference" },
  operator: { document: "/openapi.operator.json", scheme: "operatorToken", title: "Jara operator API reference" },
} as const;

type Reader = keyof typeof readers;

const brand = `
  .light-mode {
    --scalar-color-accent: #0b7a4b; --scalar-background-accent: #0b7a4b14; --scalar-sidebar-color-active: #0b7a4b;
  }
  .dark-mode {
    --scalar-color-accent: #3ecf8e; --scalar-background-accent: #3ecf8e1f; --scalar-sidebar-color-active: #3ecf8e;
  }
  :root { --scalar-radius: 6px; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
`;

/** The developer alone is given the key. */
function settingsOf(reader: Reader, secretKey: string | undefined) {
  const { document, scheme, title } = readers[reader];
  const token = reader === "developer" && secretKey !== undefined ? { secretKey: { token: secretKey } } : {};
  return {
    url: document,
    cdn: scriptPath,
    pageTitle: title,
    favicon: "data:,",
    // Nothing may leave the machine: no fonts, no telemetry, no hosted assistants.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    theme: "default",
    layout: "modern",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    showDeveloperTools: "never",
    hideClientButton: true,
    authentication: { preferredSecurityScheme: scheme, securitySchemes: token },
    customCss: brand,
  } as const;
}
