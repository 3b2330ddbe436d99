import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { ageSessions, signIn } from "../../testing/console.ts";
import { issueLiveKeyFor } from "../../testing/keys.ts";
import { sendRaw } from "../../testing/platform/raw-http.ts";
import { createApp } from "./app.ts";

const testing = await createTestApp();
const { call, merchant } = testing;

async function listen(host: string, demoKey: string | undefined): Promise<number> {
  const app = await createApp({ ...testing.dependencies, demoKey });
  afterAll(() => app.close());
  await app.listen({ host, port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const atHome = await listen("127.0.0.1", merchant.secretKey);
const inPublic = await listen("0.0.0.0", merchant.secretKey);
const withoutDemo = await listen("127.0.0.1", undefined);

const open = async (port: number, path: string, headers: string) =>
  (await sendRaw(port, `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)).body;

describe("the key of the demo sandbox", () => {
  test.each(["localhost", "127.0.0.1", "[::1]"])("is on the page that is opened at %s", async (name) => {
    expect(await open(atHome, "/docs/reference", `Host: ${name}:${atHome}\r\n`)).toContain(merchant.secretKey);
  });

  test.each([
    ["a server that listens to everybody", () => inPublic, "Host: localhost\r\n"],
    ["a server without a demo sandbox", () => withoutDemo, "Host: localhost\r\n"],
    ["a foreign name that leads here", () => atHome, "Host: evil.example.com\r\n"],
    ["a tunnel", () => atHome, "Host: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n"],
    ["a proxy", () => atHome, "Host: localhost\r\nForwarded: for=203.0.113.9\r\n"],
  ])("is not on the page of %s", async (_, port, headers) => {
    for (const path of ["/docs/reference", "/docs/reference/", "/docs/operator", "/docs/openapi.json"]) {
      const page = await open(port(), path, headers);
      expect(page.length).toBeGreaterThan(500);
      expect(page).not.toContain(merchant.secretKey);
    }
    expect((await call("GET", "/transfers")).json().pagination.totalItems).toBe(0);
  });
});

test("examples are records of the sandbox, and a second visit finds the same ones", async () => {
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  const fill = async () => JSON.parse(await open(atHome, "/docs/openapi.json", "Host: localhost\r\n"));
  const first = await fill();
  const second = await fill();
  const idOf = (document: typeof first, path: string) => document.paths[path].get.parameters[0].schema?.examples[0];
  for (const path of ["/loans/{id}", "/transfers/{id}", "/bills/{id}", "/loans/bnpl/loans/{loanId}"]) {
    const id = idOf(first, path);
    expect((await call("GET", path.replace(/\{\w+\}/, id))).statusCode).toBe(200);
    expect(idOf(second, path)).toBe(id);
  }
  const referenceOf = (document: typeof first) =>
    document.paths["/transfers"].post.requestBody.content["application/json"].example.reference;
  expect(referenceOf(first)).not.toBe(referenceOf(second));
});

describe("a person at the console who signed in long ago", () => {
  const isAskedAt = async (port: number, headers: string, origin: string): Promise<boolean> => {
    const { cookie } = await signIn(testing, { email: "ada@example.com", role: "owner", operator: "admin" });
    await ageSessions(testing);
    const lines = [`Cookie: ${cookie}`, `Origin: ${origin}`, "X-Jara-Console: 1", "Content-Type: application/json"];
    const request = `POST /console/api/operator/merchants HTTP/1.1\r\n${headers}${lines.join("\r\n")}\r\n`;
    const { body } = await sendRaw(port, `${request}Content-Length: 2\r\nConnection: close\r\n\r\n{}`);
    const { code } = JSON.parse(body);
    expect(["proof_needed", "validation_failed"]).toContain(code);
    return code === "proof_needed";
  };
  const here = "http://localhost:4000";

  test("is not asked to prove it on a developer's own machine", async () => {
    expect(await isAskedAt(atHome, "Host: localhost\r\n", here)).toBe(false);
  });

  test.each([
    ["a server that listens to everybody", () => inPublic, "Host: localhost\r\n", here],
    ["a server without a demo sandbox", () => withoutDemo, "Host: localhost\r\n", here],
    ["a foreign name that leads here", () => atHome, "Host: evil.example.com\r\n", "http://evil.example.com"],
    ["a tunnel", () => atHome, "Host: localhost\r\nX-Forwarded-For: 203.0.113.9\r\n", here],
  ])("is asked at %s", async (_, port, headers, origin) => {
    expect(await isAskedAt(port(), headers, origin)).toBe(true);
  });

  test("is asked as soon as there is a live environment, of whatever merchant", async () => {
    await issueLiveKeyFor(testing.db, testing.otherMerchant.merchant.id);
    expect(await isAskedAt(atHome, "Host: localhost\r\n", here)).toBe(true);
  });
});
