/** The whole API behind a real socket, and SDK clients of its merchants whose replies are held against the types. */
import type { AddressInfo } from "node:net";
import { afterAll, expect } from "vitest";
import { type FetchLike, Jara, type JaraOptions } from "../../sdk/src/index.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../../server/testing/app.ts";
import { type Claim, claimsOf, operationOf, refuteClaims } from "./typed-replies.ts";

export interface Product extends TestApp {
  readonly baseUrl: string;
  /** The first merchant's client. */
  readonly jara: Jara;
  /** Remembers replies, to be held against the types. */
  readonly fetch: FetchLike;
  connect(options?: Partial<JaraOptions>): Jara;
}

/** Money in the wallet, and a clock that stands still: what falls due happens before the reply. */
export async function createProduct(options: TestAppOptions = {}): Promise<Product> {
  const app = await createTestApp(options);
  await app.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.app.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const { secretKey } = app.merchant;
  const fetch = createRecordingFetch();
  const connect = (more: Partial<JaraOptions> = {}) => new Jara({ secretKey, baseUrl, fetch, ...more });
  await app.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "sdk" } });
  await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  return { ...app, baseUrl, connect, fetch, jara: connect() };
}

const patienceMs = 120_000;

function createRecordingFetch(): FetchLike {
  const claims: Claim[] = [];
  afterAll(async () => {
    expect(claims.length).toBeGreaterThan(0);
    expect(await refuteClaims(claims)).toBe("");
  }, patienceMs);
  return async (url, init) => {
    const reply = await fetch(url, init as RequestInit);
    const text = await reply.text();
    const { pathname } = new URL(url);
    const operation = operationOf(init.method, pathname);
    if (operation !== undefined && reply.ok && text.startsWith("{"))
      claims.push(...claimsOf(operation, JSON.parse(text)));
    if (pathname.startsWith("/hosted/checkout") && reply.ok && pathname !== "/hosted/checkout/card-link") {
      claims.push({ type: "api.HostedCheckoutView", value: JSON.parse(text).data });
    }
    return { status: reply.status, headers: reply.headers, text: async () => text };
  };
}

/** What a promise is rejected with. */
export function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail("it went well"),
    (error: unknown) => error,
  );
}
