/** Of the documentation site as it was built: `npm test` builds it first. */
import { readdirSync, readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { addressOf, groups, pages } from "../../../web/site/pages.ts";
import { createTestApp } from "../../testing/app.ts";
import { sendRaw } from "../../testing/platform/raw-http.ts";
import { createApp } from "./app.ts";
import { house } from "./slices.ts";

const testing = await createTestApp();
const { app, merchant } = testing;
const root = join(import.meta.dirname, "..", "..", "..");

const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe("every page", () => {
  const addresses = ["/docs", "/docs/", ...pages.map(addressOf)];

  test.each(addresses)("%s is there, kept by a tag, and needs nothing from elsewhere", async (address) => {
    const reply = await open(address);
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(reply.body).not.toMatch(/<style|\sstyle=|<script[^>]*>[^<]|\son\w+=/);
    expect(reply.body).not.toMatch(/(src|href)="https?:\/\/(?!.*<\/a>)/);
    const again = await open(address, { "if-none-match": String(reply.headers["etag"]) });
    expect([again.statusCode, again.body, again.headers["cache-control"]]).toEqual([304, "", "no-cache"]);
    expect(String(reply.headers["content-security-policy"])).toContain("script-src 'self'; style-src 'self'");
  });

  test("leads only to places that are there, down to the heading", async () => {
    const bodies = new Map<string, string>();
    for (const address of pages.map(addressOf)) bodies.set(address, (await open(address)).body);
    const dead: string[] = [];
    for (const [address, body] of bodies) {
      for (const [, target = ""] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const [path = "", anchor] = target.split("#");
        const there = path === "" ? body : (bodies.get(path) ?? (await open(path)).body);
        const isThere = path === "" || bodies.has(path) || (await open(path)).statusCode === 200;
        if (!isThere || (anchor && anchor !== "content" && !there.includes(`id="${anchor}"`)))
          dead.push(`${address}: ${target}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("has its place: no guide and no runbook is left out", () => {
    const written = ["docs/guides", "docs/runbooks"].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
    );
    expect(written.filter((file) => !pages.some(({ source }) => source === file))).toEqual([]);
    const addresses = groups.flatMap(({ entries }) => entries.map(addressOf));
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

test("every error code has its own anchor, and the anchors of the reference lead on", async () => {
  const { body } = await open("/docs/errors");
  const missing = Object.keys(house.problems).filter((code) => !body.includes(`id="${code}"`));
  expect(missing).toEqual([]);
});

test("the file that the search reads has every page", async () => {
  const [, file = ""] = /data-search="([^"]+)"/.exec((await open("/docs")).body) ?? [];
  const reply = await open(file);
  expect(reply.headers["cache-control"]).toContain("immutable");
  const found = reply.json<{ url: string }[]>().map(({ url }) => url);
  expect(pages.map(addressOf).filter((address) => !found.includes(address))).toEqual([]);
});

describe("/", () => {
  test("leads a person to the documentation", async () => {
    const reply = await open("/", { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" });
    expect([reply.statusCode, reply.headers["location"]]).toEqual([302, "/docs"]);
  });

  test.each([{}, { accept: "*/*" }, { accept: "application/json" }])(
    "tells a program with %j where everything is",
    async (headers) => {
      const reply = await open("/", headers);
      expect([reply.statusCode, reply.headers["vary"]]).toEqual([200, "accept"]);
      const places: string[] = Object.values(reply.json().data);
      expect(places).toHaveLength(4);
      for (const place of places) expect((await open(new URL(place).pathname)).statusCode).toBe(200);
    },
  );

  test.each(["POST", "DELETE"] as const)("takes no %s", async (method) => {
    expect((await app.inject({ method, url: "/" })).statusCode).toBe(405);
  });
});

describe("for programs that read", () => {
  test("llms.txt lists every page with a line about it", async () => {
    const reply = await open("/llms.txt");
    expect(reply.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(reply.body).toMatch(/^# Jara\n\n> /);
    for (const page of pages) expect(reply.body).toContain(`(${addressOf(page)}): ${page.summary}`);
  });

  test("llms-full.txt has every text", async () => {
    const { body } = await open("/llms-full.txt");
    for (const { source } of pages) {
      const [title = ""] = /^# .+$/m.exec(readFileSync(join(root, source), "utf8")) ?? [];
      expect(body).toContain(title);
    }
  });
});

describe("the Postman collection", () => {
  interface Item {
    readonly name: string;
    readonly request: {
      readonly method: string;
      readonly url: { readonly raw: string; readonly path: readonly string[] };
      readonly body?: { readonly raw: string };
    };
  }
  interface Collection {
    readonly info: { readonly schema: string };
    readonly variable: readonly { readonly key: string }[];
    readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
  }
  const read = async () => (await open("/docs/postman.json")).json<Collection>();

  test("has every operation that integrators call, and two variables", async () => {
    const { info, variable, item } = await read();
    expect(info.schema).toContain("/v2.1.0/");
    expect(variable.map(({ key }) => key)).toEqual(["baseUrl", "secretKey"]);
    const { paths } = (await open("/openapi.json")).json<{ paths: Record<string, Record<string, object>> }>();
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ["get", "post", "put", "patch", "delete"].includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    );
    const collected = item.flatMap((folder) =>
      folder.item.map(({ request }) => `${request.method} /${request.url.path.join("/")}`),
    );
    expect(collected.sort()).toEqual(documented.sort());
  });

  test("sends requests that are understood", async () => {
    await testing.call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
    const { item } = await read();
    const items = item.flatMap((folder) => folder.item);
    const whole = items.filter(({ request: { url } }) => !url.path.some((step) => step.startsWith(":")));
    expect(whole.length).toBeGreaterThan(30);
    const misunderstood: string[] = [];
    for (const { name, request } of whole) {
      const body = request.body === undefined ? {} : { body: JSON.parse(request.body.raw) };
      const reply = await testing.call(request.method, request.url.raw.replace("{{baseUrl}}", ""), body);
      const isSchema =
        [400, 401, 403, 405, 415].includes(reply.statusCode) || reply.json().code === "validation_failed";
      if (isSchema) misunderstood.push(`${name}: ${reply.body}`);
    }
    expect(misunderstood).toEqual([]);
  });
});

describe("the key in the examples", () => {
  async function listen(host: string, demoKey: string | undefined): Promise<number> {
    const served = await createApp({ ...testing.dependencies, demoKey });
    afterAll(() => served.close());
    await served.listen({ host, port: 0 });
    return (served.server.address() as AddressInfo).port;
  }
  const ask = async (port: number, headers: string) => {
    const request = `GET /docs/trial.json HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`;
    const { headers: sent, body } = await sendRaw(port, request);
    expect(Object.keys(sent).filter((name) => name.startsWith("access-control"))).toEqual([]);
    return JSON.parse(body).data;
  };

  test.each(["localhost", "127.0.0.1", "[::1]"])("is given to our own page at %s", async (name) => {
    const port = await listen("127.0.0.1", merchant.secretKey);
    const same = `Host: ${name}:${port}\r\nSec-Fetch-Site: same-origin\r\n`;
    expect(await ask(port, same)).toEqual({ baseUrl: "http://localhost:4000", secretKey: merchant.secretKey });
  });

  test.each([
    [
      "a page of another origin",
      "Host: localhost\r\nOrigin: https://evil.example.com\r\nSec-Fetch-Site: cross-site\r\n",
    ],
    ["another port of this machine", "Host: localhost\r\nSec-Fetch-Site: same-site\r\n"],
    ["an old browser on another origin", "Host: localhost\r\nOrigin: http://localhost:3000\r\n"],
    ["a sandboxed page", "Host: localhost\r\nOrigin: null\r\n"],
    ["a foreign name that leads here", "Host: evil.example.com\r\nSec-Fetch-Site: same-origin\r\n"],
    ["a tunnel", "Host: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n"],
  ])("is not given to %s", async (_, headers) => {
    const port = await listen("127.0.0.1", merchant.secretKey);
    expect(await ask(port, headers)).toBeNull();
  });

  test("is not given by a server that listens to everybody, nor by one without a demo sandbox", async () => {
    expect(await ask(await listen("0.0.0.0", merchant.secretKey), "Host: localhost\r\n")).toBeNull();
    expect(await ask(await listen("127.0.0.1", undefined), "Host: localhost\r\n")).toBeNull();
  });
});
