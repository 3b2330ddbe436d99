/** What each method puts on the wire: its address, its body in the family's casing, its key. */
import { describe, expect, test } from "vitest";
import { Jara } from "../index.ts";

interface Sent {
  readonly line: string;
  readonly body: unknown;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client whose network returns `data` and keeps what was sent. */
function clientWith(data: unknown = {}) {
  const sent: Sent[] = [];
  const jara = new Jara({
    secretKey: "sk_test_1",
    baseUrl: "http://jara.test",
    fetch: async (url, { method, headers, body }) => {
      sent.push({
        line: `${method} ${url.slice("http://jara.test".length)}`,
        body: body === undefined ? undefined : JSON.parse(body),
        key: headers["idempotency-key"],
        headers,
      });
      return Response.json({ status: true, data });
    },
  });
  return { jara, sent };
}

type Call = (jara: Jara) => Promise<unknown>;

const customer = {
  firstName: "Ada",
  lastName: "Obi",
  phone: "08031234567",
  email: "ada@example.com",
  bvn: "22123456789",
};

describe("an order says what it says, once, under a key of its own", () => {
  test.each<[string, unknown, Call]>([
    [
      "POST /transfers",
      { currency: "NGN", accountNumber: "0123456789", bankCode: "058", amount: 2_500.5, reference: "r" },
      (jara) =>
        jara.transfers.create({ accountNumber: "0123456789", bankCode: "058", amount: "2500.50", reference: "r" }),
    ],
    [
      "POST /wallets/transfers",
      { from: "a", to: "b", amount: 5, reference: "r" },
      (jara) => jara.wallets.transfer({ from: "a", to: "b", amount: 5, reference: "r" }),
    ],
    [
      "POST /bills/airtime/vend",
      { network: "MTN", phoneNumber: "08031234567", amount: 500, reference: "r" },
      (jara) => jara.bills.airtime.vend({ network: "MTN", phoneNumber: "08031234567", amount: 500, reference: "r" }),
    ],
    ["POST /bills/status", { reference: "r" }, (jara) => jara.bills.getByReference("r")],
    ["POST /sandbox/wallets/fund", { amount: 50_000 }, (jara) => jara.sandbox.wallets.fund({ amount: "50000.00" })],
    ["POST /sandbox/transfers/t-1/reverse", undefined, (jara) => jara.sandbox.transfers.reverse("t-1")],
    ["POST /sandbox/loans/l-1/approve", undefined, (jara) => jara.sandbox.loans.approve("l-1")],
    ["POST /webhooks/endpoints/w-1/rotate-secret", {}, (jara) => jara.webhooks.endpoints.rotateSecret("w-1")],
    ["POST /webhooks/endpoints/w-1/test", undefined, (jara) => jara.webhooks.endpoints.sendTest("w-1")],
    ["POST /loans/l-1/cancel", undefined, (jara) => jara.loans.cancel("l-1")],
    [
      "POST /loans/bnpl/customers",
      { first_name: "Ada", last_name: "Obi", phone: "08031234567", email: "ada@example.com", bvn: "22123456789" },
      (jara) => jara.loans.bnpl.customers.create(customer),
    ],
  ])("%s", async (line, body, call) => {
    const { jara, sent } = clientWith();
    await call(jara);
    await call(jara);
    expect(sent.map((one) => [one.line, one.body])).toEqual([
      [line, body],
      [line, body],
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a question changes nothing and has no key", () => {
  test.each<[string, Call]>([
    ["GET /transfers/t-1", (jara) => jara.transfers.get("t-1")],
    ["GET /transfers/verify?reference=a%20b%26c", (jara) => jara.transfers.getByReference("a b&c")],
    [
      "GET /transfers/fee?amount=2500.5&currency=NGN",
      (jara) => jara.transfers.estimateFee({ amount: 2_500.5, currency: "NGN" }),
    ],
    ["GET /transfers/banks", (jara) => jara.transfers.listBanks()],
    ["GET /transfers/bank/health", (jara) => jara.transfers.listBankHealth()],
    ["GET /transfers/bulk/b-1", (jara) => jara.transfers.bulk.get("b-1")],
    ["GET /transfers/bulk?status=processing", (jara) => jara.transfers.bulk.list({ status: "processing" }).page()],
    ["GET /wallets/balance", (jara) => jara.wallets.getBalance()],
    ["GET /wallets/balance?accountId=w-1", (jara) => jara.wallets.getBalance({ accountId: "w-1" })],
    ["GET /bills/data/list?network=MTN", (jara) => jara.bills.data.listPlans({ network: "MTN" })],
    ["GET /loans/l-1/schedule", (jara) => jara.loans.getSchedule("l-1")],
    ["GET /loans/l-1/explain?field=balance", (jara) => jara.loans.explain("l-1", { field: "balance" })],
    ["GET /sandbox/clock", (jara) => jara.sandbox.clock.get()],
    ["GET /loans/bnpl/profile", (jara) => jara.loans.bnpl.profile.get()],
  ])("%s", async (line, call) => {
    const { jara, sent } = clientWith();
    await call(jara);
    expect(sent).toMatchObject([{ line, body: undefined, key: undefined }]);
  });
});

test.each<[string, Call]>([
  ["PUT /sandbox/clock", (jara) => jara.sandbox.clock.set({ mode: "running" })],
  ["PUT /sandbox/banks/058/health", (jara) => jara.sandbox.banks.setHealth("058", { status: "down" })],
  ["PATCH /webhooks/endpoints/w-1", (jara) => jara.webhooks.endpoints.update("w-1", { enabled: false })],
  ["DELETE /webhooks/endpoints/w-1", (jara) => jara.webhooks.endpoints.delete("w-1")],
])("%s sets what it says, and needs no key for it", async (line, call) => {
  const { jara, sent } = clientWith();
  await call(jara);
  expect(sent).toMatchObject([{ line, key: undefined }]);
});

test("a currency that somebody gives counts more than ours", async () => {
  const { jara, sent } = clientWith();
  const payout = { accountNumber: "0123456789", bankCode: "058", amount: 1, reference: "r" };
  await jara.transfers.create({ ...payout, currency: "NGN" });
  expect(sent[0]?.body).toMatchObject({ currency: "NGN" });
});

test("a batch has its currency and each amount as a number", async () => {
  const { jara, sent } = clientWith();
  const transfer = { accountNumber: "0123456789", bankCode: "058", reference: "a" };
  await jara.transfers.bulk.create({
    batchReference: "may",
    transfers: [
      { ...transfer, amount: "1.10" },
      { ...transfer, reference: "b", amount: 2 },
    ],
  });
  expect(sent[0]?.body).toMatchObject({ currency: "NGN", transfers: [{ amount: 1.1 }, { amount: 2 }] });
});

test("a statement as CSV comes as the server wrote it, and is asked for as such", async () => {
  const asked: Record<string, string>[] = [];
  const file = "id,amount\r\nl-1,2500.50\r\n";
  const jara = new Jara({
    secretKey: "sk_test_1",
    baseUrl: "http://jara.test",
    fetch: async (_url, { headers }) => {
      asked.push(headers);
      return new Response(file);
    },
  });
  expect(await jara.wallets.transactions.toCsv({ from: "2026-11-01" })).toBe(file);
  expect(asked[0]?.["accept"]).toBe("text/csv");
});

test("to move a clock in the background is asked for by a header, to wait for it by none", async () => {
  const { jara, sent } = clientWith();
  await jara.sandbox.clock.startAdvance({ days: 1 });
  await jara.sandbox.clock.advance({ days: 1 });
  expect(sent.map(({ headers }) => headers["prefer"])).toEqual(["respond-async", undefined]);
});

test("what comes back under /loans is read in the caller's casing, the caller's own words untouched", async () => {
  const { jara } = clientWith({ loan_request: { daas_user: { first_name: "a_b" } }, metadata: { order_id: 1 } });
  expect(await jara.loans.get("l-1")).toEqual({
    loanRequest: { daasUser: { firstName: "a_b" } },
    metadata: { order_id: 1 },
  });
});

test.each([
  ["pending", 2],
  ["processing", 2],
  ["completed", 1],
  ["failed", 1],
  ["reversed", 1],
])("waiting for a payout that is %s reads it %i times", async (first, reads) => {
  let count = 0;
  const jara = new Jara({
    secretKey: "sk_test_1",
    fetch: async () =>
      Response.json({ status: true, data: { id: "t-1", status: count++ === 0 ? first : "completed" } }),
  });
  await jara.transfers.waitUntilFinal("t-1", { pollMs: 1 });
  expect(count).toBe(reads);
});
