import { beforeAll, describe, expect, test } from "vitest";
import { createBorrowingApp } from "../../testing/checkout/borrowers.ts";
import { signIn } from "../../testing/console.ts";
import { issueKeyFor } from "../../testing/keys.ts";
import { application } from "../../testing/lending/loans.ts";
import { addEndpoint } from "../../testing/webhooks/webhooks.ts";
import { asOwner } from "../../testing/work.ts";

const app = await createBorrowingApp();
const { call, db, merchant, otherMerchant, ownerUrl } = app;

interface Attention {
  readonly kind: string;
  readonly count: number;
  readonly amount: number | null;
  readonly items: readonly { id: string; title: string }[];
}

async function overview(query = "", options = {}) {
  const reply = await call("GET", `/overview${query}`, options);
  expect([reply.statusCode, reply.json().message]).toEqual([200, "Overview retrieved"]);
  return reply.json().data;
}

async function pay(reference: string, bankCode = "044"): Promise<string> {
  const body = { accountNumber: "0690000032", bankCode, amount: 1000, currency: "NGN", reference };
  const reply = await call("POST", "/transfers", { body });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id;
}

const attentionOf = async (kind: string): Promise<Attention | undefined> =>
  (await overview()).attention.find((each: Attention) => each.kind === kind);

beforeAll(async () => {
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 500_000 } });
});

test("an empty sandbox has figures of nothing and needs no attention", async () => {
  const found = await overview("", { key: otherMerchant.secretKey });
  expect(found).toMatchObject({
    by: "day",
    wallet: { available: 0, held: 0, moneyIn: 0, moneyOut: 0 },
    payouts: { count: 0, amount: 0, successRate: null, byStatus: [], byBank: [] },
    bills: [],
    loans: { outstanding: { principal: 0, interest: 0, fees: 0 }, byStatus: [] },
    webhooks: [],
    attention: [],
  });
  expect(found.wallet.steps).toHaveLength(30);
});

test("payouts are counted by state and bank, with the share that went well and the median time", async () => {
  for (const reference of ["one", "two", "three_FAIL"]) await pay(reference);
  await pay("four", "058");
  await app.advance({ seconds: 30 });
  await pay("waiting_PENDING", "058");
  await app.advance({ seconds: 5 });
  const { payouts } = await overview();
  expect(payouts).toMatchObject({ count: 5, amount: 5000, successRate: 0.75 });
  expect(
    Object.fromEntries(payouts.byStatus.map((each: Attention & { status: string }) => [each.status, each.count])),
  ).toEqual({ completed: 3, failed: 1, processing: 1 });
  expect(payouts.byBank).toEqual([
    expect.objectContaining({ bankCode: "044", bankName: "Access Bank", count: 3, successRate: 0.6667 }),
    expect.objectContaining({ bankCode: "058", count: 2, amount: 2000, successRate: 1 }),
  ]);
  expect(payouts.byBank[0].medianSeconds).toBeGreaterThanOrEqual(0);
  expect(payouts.byBank[0].medianSeconds).toBeLessThan(30);
});

test("a payout that waits for long needs attention, with its age", async () => {
  expect(await attentionOf("payouts_waiting")).toBeUndefined();
  await app.advance({ seconds: 660 });
  expect(await attentionOf("payouts_waiting")).toMatchObject({
    count: 1,
    amount: 1000,
    title: "1 payout waits for the bank's answer.",
    items: [{ title: "waiting_PENDING" }],
  });
});

test("bills are counted by category, loans by state with what is owed", async () => {
  const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 500 };
  await call("POST", "/bills/airtime/vend", { body: { ...airtime, reference: "air" } });
  await call("POST", "/bills/airtime/vend", { body: { ...airtime, reference: "air_FAIL" } });
  await call("POST", "/loans/create", { body: application });
  await app.advance({ seconds: 60 });
  const { bills, loans } = await overview();
  expect(bills).toHaveLength(2);
  expect(bills).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ category: "airtime", status: "successful", count: 1, amount: 500 }),
      expect.objectContaining({ category: "airtime", status: "failed", count: 1, amount: 500 }),
    ]),
  );
  expect(loans.byStatus).toEqual([
    expect.objectContaining({ kind: "loan", status: "active", count: 1, amount: 120_000 }),
  ]);
  expect(loans.outstanding.principal).toBe(120_000);
});

test("a loan that nobody decides needs attention", async () => {
  const { id } = (await call("POST", "/loans/create", { body: application })).json().data;
  await app.advance({ seconds: 300 });
  await asOwner(ownerUrl, `update loan_requests set status = 'pending' where id = '${id}'`);
  expect(await attentionOf("loans_undecided")).toMatchObject({ count: 1, items: [{ id, title: "Adaeze Okafor" }] });
});

test("an endpoint that fails or was disabled needs attention, one that its merchant disabled does not", async () => {
  const failing = await addEndpoint(app, "http://127.0.0.1:9/failing");
  const gone = await addEndpoint(app, "http://127.0.0.1:9/gone");
  const off = await addEndpoint(app, "http://127.0.0.1:9/off");
  await asOwner(
    ownerUrl,
    `update webhook_endpoints set failing_since = now() where id = '${failing.id}';
     update webhook_endpoints set enabled = false, disabled_reason = 'gone' where id = '${gone.id}';
     update webhook_endpoints set enabled = false, disabled_reason = 'merchant' where id = '${off.id}'`,
  );
  expect((await overview()).webhooks).toHaveLength(3);
  expect(await attentionOf("webhook_failing")).toMatchObject({ items: [{ id: failing.id }] });
  expect(await attentionOf("webhook_disabled")).toMatchObject({ items: [{ id: gone.id }] });
});

test("a wallet that holds less than an average day's outflow needs attention", async () => {
  expect(await attentionOf("wallet_low")).toBeUndefined();
  const { available, accountId: from } = (await call("GET", "/wallets/balance")).json().data;
  const { id: to } = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Safe" } })).json().data;
  const body = { from, to, amount: available - 10, reference: "away" };
  const moved = await call("POST", "/wallets/transfers", { body });
  expect(moved.statusCode, moved.body).toBeLessThan(300);
  expect(await attentionOf("wallet_low")).toMatchObject({ amount: 10, title: expect.stringContaining("Fund it.") });
});

describe("who sees what", () => {
  test("a key gets the parts that its scopes may read", async () => {
    const key = await issueKeyFor(db, merchant.environment.id, { scopes: ["overview:read", "bills:read"] });
    const found = await overview("", { key });
    expect(Object.keys(found).sort()).toEqual(["attention", "bills", "by", "from", "to"]);
    expect(found.attention).toEqual([]);
    const without = await issueKeyFor(db, merchant.environment.id, { scopes: ["bills:read"] });
    expect((await call("GET", "/overview", { key: without })).json().code).toBe("scope_missing");
  });

  test("nobody sees another merchant's", async () => {
    const found = await overview("", { key: otherMerchant.secretKey });
    expect([found.payouts.count, found.wallet.moneyIn, found.attention]).toEqual([0, 0, []]);
  });
});

test.each(["?by=week", "?from=2020-01-01", "?from=yesterday", "?from=2026-11-05&to=2026-11-01"])(
  "%s is refused",
  async (query) => {
    const reply = await call("GET", `/overview${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  },
);

describe("an operator", () => {
  const place = (id: string) => app.operate("GET", `/operator/environments/${id}`);

  test("sees whose an environment is, its clock, and what its merchant sees of it", async () => {
    const { id } = merchant.environment;
    const reply = await place(id);
    expect(reply.statusCode, reply.body).toBe(200);
    const { data } = reply.json();
    expect(data).toMatchObject({
      id,
      kind: "SANDBOX",
      merchantId: merchant.merchant.id,
      merchantName: "Mama Put Foods",
      clock: { mode: "frozen" },
    });
    expect(data.overview).toEqual(await overview());
  });

  test("is told when there is no such environment", async () => {
    const reply = await place("01932c5e-0000-7000-8000-000000000000");
    expect([reply.statusCode, reply.json().code]).toEqual([404, "environment_not_found"]);
  });

  test("only: a merchant's key and its owner at the console are refused", async () => {
    const { id } = merchant.environment;
    expect((await call("GET", `/operator/environments/${id}`)).statusCode).toBe(401);
    const owner = await signIn(app, { email: "owner@example.com", role: "owner" });
    expect((await owner.ask("GET", `/console/api/operator/environments/${id}`)).statusCode).toBe(403);
  });
});
