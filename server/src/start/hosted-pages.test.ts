/** Of the pages as they were built: `npm test` builds them first. */
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";

const { app } = await createTestApp();

const paths = ["/checkout/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "/card-links/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"];
const consolePath = "/console/e/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11/transfers";

async function open(url: string) {
  const reply = await app.inject(url);
  expect(reply.statusCode, reply.body).toBe(200);
  return { html: reply.body, policy: String(reply.headers["content-security-policy"]).split("; ") };
}

function assetsOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
}

describe.each([...paths, consolePath])("%s", (path) => {
  test("names only assets of this server, and each of them is there", async () => {
    const { html } = await open(path);
    const assets = assetsOf(html);
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect(asset).toMatch(/^\/assets\/[\w-]+\.(js|css|svg)$/);
      expect((await app.inject(asset)).statusCode).toBe(200);
    }
  });

  test("has no script or style in its own text, and its policy would stop one", async () => {
    const { html, policy } = await open(path);
    expect(html).not.toMatch(/<style|style=|<script[^>]*>[^<]|\son\w+=/);
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  });
});

test.each([...paths.map((path) => [path, 100_000] as const), [consolePath, 250_000] as const])(
  "%s weighs less than %i bytes of compressed script",
  async (path, limit) => {
    const { html } = await open(path);
    const scripts = assetsOf(html).filter((asset) => asset.endsWith(".js"));
    const sizes = await Promise.all(scripts.map(async (url) => gzipSync((await app.inject(url)).rawPayload).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(limit);
  },
);

test("every address of the console is one page, and its API is none of them", async () => {
  for (const path of [
    "/console",
    "/console/",
    "/console/sign-in?token=x",
    "/console/join?token=x",
    "/console/operator",
    "/console/operator/audit",
    "/console/acount",
  ]) {
    expect((await open(path)).html).toBe((await open(consolePath)).html);
  }
  const reply = await app.inject("/console/api/no-such-thing");
  expect(reply.statusCode).toBe(404);
  expect(reply.headers["content-type"]).toMatch(/json/);
});

test("no form of the card page can be sent by the browser itself", async () => {
  const [checkout, card] = await Promise.all(paths.map(open));
  expect(checkout?.policy).toContain("form-action 'self'");
  expect(card?.policy).toContain("form-action 'none'");
});
