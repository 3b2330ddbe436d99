/** What the benchmarks order, and the merchants that order it. */
import { describe, expect, test } from "vitest";
import { requestBytes } from "./load.ts";
import { applicationOf } from "./loans.ts";
import { type Api, createPayer, type Payer } from "./payers.ts";
import { createReceivers, payoutData } from "./receivers.ts";
import { trades } from "./trades.ts";

const payer: Payer = { environmentId: "e", key: "sk_test_k", mainWallet: "w", wallets: [] };

/** The parts of a request as it goes over the wire. */
function partsOf(bytes: Buffer) {
  const text = bytes.toString("utf8");
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...headers] = head.split("\r\n");
  const named = Object.fromEntries(headers.map((line) => line.toLowerCase().split(": ") as [string, string]));
  return { first, headers: named, body };
}

describe("a request on a bare socket", () => {
  test("says how many bytes follow, and not how many letters", () => {
    const { headers, body } = partsOf(requestBytes("POST", "/x", "k", '{"name":"Adébáyọ̀"}'));
    expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
    expect(Buffer.byteLength(body)).toBeGreaterThan(body.length);
  });

  test("without a body says nothing of one", () => {
    const { first, headers } = partsOf(requestBytes("GET", "/transfers?limit=5", "k"));
    expect(first).toBe("GET /transfers?limit=5 HTTP/1.1");
    expect(headers).toEqual({ host: "localhost", authorization: "bearer k" });
  });
});

describe.each(Object.entries(trades))("the trade in %s", (_name, trade) => {
  const bodyOf = (at: number) => JSON.parse(partsOf(trade.request(payer, at)).body);
  const referencesOf = (body: { reference?: string; transfers?: { reference: string }[] }) =>
    body.transfers?.map(({ reference }) => reference) ?? [body.reference ?? ""];

  test("makes as many orders with a request as it says", () => {
    expect(referencesOf(bodyOf(0))).toHaveLength(trade.perRequest);
  });

  test("never names two orders alike, also of one moment", () => {
    const all = [...referencesOf(bodyOf(5)), ...referencesOf(bodyOf(5))];
    expect(new Set(all).size).toBe(2 * trade.perRequest);
  });

  test("writes into each reference when its request was due, for the receiver to read", () => {
    for (const reference of referencesOf(bodyOf(1_762_000_000_123.6))) {
      expect(reference).toMatch(/^at-1762000000124-\d+-\d+$/);
    }
  });

  test("pays under the payer's key, whole naira that a sandbox takes", () => {
    const { headers, body } = partsOf(trade.request(payer, 0));
    expect(headers["authorization"]).toBe("bearer sk_test_k");
    const { amount, transfers = [{ amount }] } = JSON.parse(body);
    for (const order of transfers) expect(Number.isSafeInteger(order.amount)).toBe(true);
  });

  test("has room under way for more than one request of each connection", () => {
    expect(trade.inFlight).toBeGreaterThanOrEqual(trade.connections * trade.perRequest);
  });
});

/** A server that is not there: it makes what is asked for, and keeps what that was. */
function recordingApi() {
  const asked: { readonly path: string; readonly key: string; readonly body: unknown }[] = [];
  let [made, now, most] = [0, 0, 0];
  const answer = async (path: string, key: string, body: unknown): Promise<unknown> => {
    asked.push({ path, key, body });
    const isMerchant = path === "/operator/merchants";
    if (isMerchant) {
      now += 1;
      most = Math.max(most, now);
    }
    await Promise.resolve();
    made += 1;
    if (path === "/webhooks/endpoints") now -= 1;
    if (isMerchant) return { environments: [{ id: `env-${made}` }] };
    if (path.endsWith("/keys")) return { key: `key of ${path.split("/")[3]}` };
    return { id: `id-${made}`, accountId: "w-main" };
  };
  const api = {
    post: answer,
    put: answer,
    get: (path: string, key: string) => answer(path, key, undefined),
    remove: async () => undefined,
  } as unknown as Api;
  return { api, asked, most: () => most };
}

describe("a payer", () => {
  test("is made by the operator, and everything else by its own key", async () => {
    const { api, asked } = recordingApi();
    const made = await createPayer(api, "token", 0);
    expect(made).toMatchObject({ environmentId: "env-1", key: "key of env-1", mainWallet: "w-main", wallets: [] });
    for (const { path, key } of asked) expect(key).toBe(path.startsWith("/operator/") ? "token" : "key of env-1");
  });

  test("has as many sub-accounts as were asked for, each with money", async () => {
    const { api, asked } = recordingApi();
    const { wallets } = await createPayer(api, "token", 3);
    expect(new Set(wallets).size).toBe(3);
    const funded = asked.filter(({ path }) => path === "/sandbox/wallets/fund").map(({ body }) => body);
    expect(funded.slice(1).map((body) => (body as { accountId: string }).accountId)).toEqual(wallets);
  });
});

describe("receivers", () => {
  test("each have an environment and an address of their own, which says what it does", async () => {
    const { api, asked } = recordingApi();
    const made = await createReceivers(api, "token", 9_000, ["ok", "hang", "ok"]);
    expect(new Set(made.map(({ environmentId }) => environmentId)).size).toBe(3);
    const urls = asked.filter(({ path }) => path === "/webhooks/endpoints").map(({ body }) => body);
    expect(urls.map((body) => (body as { url: string }).url).toSorted()).toEqual([
      "http://localhost:9000/hang/1",
      "http://localhost:9000/ok/0",
      "http://localhost:9000/ok/2",
    ]);
  });

  test("are made a few at a time, and come in order", async () => {
    const { api, most } = recordingApi();
    const made = await createReceivers(
      api,
      "token",
      1,
      Array.from({ length: 10 }, () => "ok" as const),
    );
    expect(made).toHaveLength(10);
    expect(most()).toBe(4);
  });

  test("get a record of a payout's size, with the time it was sent where somebody measures", () => {
    expect(payoutData(5)["metadata"]).toEqual({ orderId: "1042", sentAt: 5 });
    expect(payoutData()["metadata"]).toEqual({ orderId: "1042" });
    expect(Object.keys(payoutData()).length).toBeGreaterThan(10);
  });
});

test("applicants are people of their own, whom the bureau knows", () => {
  const terms = { tenure_type: "monthly", tenure: "3" };
  const bvns = [0, 1, 99, 12_345_678].map((number) => applicationOf(number, terms).bvn);
  expect(new Set(bvns).size).toBe(4);
  for (const bvn of bvns) expect(bvn).toMatch(/^22\d{8}1$/);
  expect(applicationOf(1, terms)).toMatchObject(terms);
});
