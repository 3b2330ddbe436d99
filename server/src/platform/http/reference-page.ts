/**
 * The API reference at /docs: Scalar over our own /openapi.json, with everything it needs served from here. Its
 * bundle is several megabytes inside a plugin, so it is loaded when the first reader comes and not at every start.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import helmet from "@fastify/helmet";
import Fastify, { type FastifyInstance } from "fastify";

interface ReferencePage {
  readonly html: string;
  readonly scriptGzip: Buffer;
  /** Lets the page's own inline script run, and no other. */
  readonly inlineScriptHash: string;
}

const scriptPath = "/docs/scalar.js";
const brand = `
  .light-mode {
    --scalar-color-accent: #0b7a4b; --scalar-background-accent: #0b7a4b14; --scalar-sidebar-color-active: #0b7a4b;
  }
  .dark-mode {
    --scalar-color-accent: #3ecf8e; --scalar-background-accent: #3ecf8e1f; --scalar-sidebar-color-active: #3ecf8e;
  }
  :root { --scalar-radius: 6px; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
`;
const compress = promisify(gzip);

/** The document is made when somebody asks for it: that is not a part of every start. */
export function registerReferencePage(app: FastifyInstance, makeDocument: () => Record<string, unknown>): void {
  let loading: Promise<ReferencePage> | undefined;
  const load = (): Promise<ReferencePage> => {
    loading ??= renderReferencePage();
    return loading;
  };
  let scriptHash = "'none'";

  let text: string | undefined;
  app.get("/openapi.json", (_, reply) => {
    text ??= JSON.stringify(makeDocument());
    return reply
      .header("content-type", "application/json; charset=utf-8")
      .header("x-content-type-options", "nosniff")
      .send(text);
  });

  app.register(async (scope) => {
    // Helmet writes its headers in onRequest, and the hash must be known by then.
    scope.addHook("onRequest", async () => {
      scriptHash = (await load()).inlineScriptHash;
    });
    await scope.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'", () => scriptHash],
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
    });
    for (const path of ["/docs", "/docs/"]) {
      scope.get(path, async (_, reply) => reply.type("text/html; charset=utf-8").send((await load()).html));
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

/** The plugin is asked once, in an app of its own, for the page and the script that it would serve. */
async function renderReferencePage(): Promise<ReferencePage> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const workshop = Fastify();
  await workshop.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      url: "/openapi.json",
      cdn: scriptPath,
      pageTitle: "Jara API reference",
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
      authentication: { preferredSecurityScheme: "secretKey" },
      customCss: brand,
    },
  });
  const html = (await workshop.inject("/docs/")).body;
  const script = (await workshop.inject("/docs/js/scalar.js")).rawPayload;
  await workshop.close();
  const inline = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map((match) => match[1] ?? "");
  const hashes = inline.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
  return { html, scriptGzip: await compress(script), inlineScriptHash: hashes.join(" ") };
}
