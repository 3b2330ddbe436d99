import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { createMetrics } from "../../metrics.ts";
import { createHttpServer } from "../server/server.ts";
import { readWebBuild, registerWebPages, type WebPage } from "./web-pages.ts";

const folder = mkdtempSync(join(tmpdir(), "jara-pages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const html = "<!doctype html><title>Checkout</title>";
const script = "console.log('hello');\n".repeat(50);

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

write("current", "build-1\n");
write("build-1/checkout/index.html", html);
write("build-1/assets/page-abc.js", script);
write("build-1/assets/page-abc.js.br", brotliCompressSync(script));
write("build-1/assets/page-abc.js.gz", gzipSync(script));
write("build-1/notes.txt", "not for browsers");
write("build-0/assets/old.js", "old");

const page: WebPage = {
  path: "/checkout/:id",
  file: "checkout/index.html",
  contentSecurityPolicy: "default-src 'none'",
};

function serve(from: string) {
  const metrics = createMetrics({ sources: [], processFigures: false, onSourceError: () => {} });
  const app = createHttpServer({ log: pino({ level: "silent" }), metrics, trustProxy: false });
  registerWebPages(app, readWebBuild(from), [page]);
  afterAll(() => app.close());
  return app;
}

const app = serve(folder);

describe("a page", () => {
  test("is asked for again each time, and may do only what its policy says", async () => {
    const reply = await app.inject("/checkout/anything");
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe(html);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(reply.headers["permissions-policy"]).toContain("camera=()");
  });

  test("that was never built is told as such", async () => {
    const reply = await serve(join(folder, "nowhere")).inject("/checkout/anything");
    expect(reply.statusCode).toBe(503);
    expect(reply.json()).toMatchObject({ code: "unavailable", message: expect.stringContaining("npm run build") });
  });
});

describe("an asset", () => {
  test.each([
    ["br, gzip", "br", brotliDecompressSync],
    ["gzip, deflate, br;q=0.5", "br", brotliDecompressSync],
    ["gzip;q=1.0, br;q=0", "gzip", gunzipSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0.0, deflate", undefined, (bytes: Buffer) => bytes],
    ["", undefined, (bytes: Buffer) => bytes],
  ])("for who accepts %j comes as %s", async (accepted, coding, decode) => {
    const reply = await app.inject({ url: "/assets/page-abc.js", headers: { "accept-encoding": accepted } });
    expect(reply.headers["content-encoding"]).toBe(coding);
    expect(decode(reply.rawPayload).toString()).toBe(script);
    expect(reply.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
  });

  test.each([
    "/assets/gone.js",
    "/assets/old.js",
    "/assets/page-abc.js.br",
    "/assets/..%2fcurrent",
    "/assets/../../current",
    "/assets/",
    "/notes.txt",
    "/current",
  ])("%s is not there", async (url) => {
    const reply = await app.inject(url);
    expect(reply.statusCode).toBe(404);
    expect(reply.json().code).toBe("not_found");
  });

  test("cannot be written to", async () => {
    expect((await app.inject({ method: "POST", url: "/assets/page-abc.js" })).statusCode).toBe(405);
  });
});
