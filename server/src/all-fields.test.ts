/** Everything that is wrong with a request is told at once, as far as nobody has to be asked for it. */
import { describe, expect, test } from "vitest";
import { createPayingApp } from "../testing/payments/paying-app.ts";

const { call } = await createPayingApp();

interface FieldError {
  readonly field: string;
  readonly message: string;
}

async function errorsOf(method: string, path: string, body?: unknown): Promise<Record<string, string>> {
  const reply = await call(method, path, body === undefined ? {} : { body });
  expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  return Object.fromEntries(reply.json().errors.map(({ field, message }: FieldError) => [field, message]));
}

const fieldsOf = async (...request: Parameters<typeof errorsOf>) => Object.keys(await errorsOf(...request)).sort();

describe("every bad field is named", () => {
  test("of a quote, by its form and by the product", async () => {
    const body = { amount: "0", tenure: "1.5", tenure_type: "yearly" };
    expect(await fieldsOf("POST", "/loans/quote", body)).toEqual(["amount", "tenure", "tenure_type"]);
    expect(await fieldsOf("POST", "/loans/quote", { amount: 1, tenure: 1_000, tenure_type: "monthly" })).toEqual([
      "amount",
      "tenure",
    ]);
  });

  test("of a bill, a phone that nobody has included", async () => {
    const body = { network: "MTN", phoneNumber: "12345", amount: -1 };
    expect(await fieldsOf("POST", "/bills/airtime/vend", body)).toEqual(["amount", "phoneNumber", "reference"]);
  });

  test("of a payout, with the bank and the bounds of the amount", async () => {
    const body = { accountNumber: "1", bankCode: "nobody", amount: 1, currency: "NGN", reference: "r" };
    expect(await fieldsOf("POST", "/transfers", body)).toEqual(["accountNumber", "amount", "bankCode"]);
  });

  test("of an item of a batch", async () => {
    const item = { accountNumber: "1", bankCode: "nobody", amount: 1, reference: "r" };
    const body = { batchReference: "b", currency: "NGN", transfers: [item] };
    expect(await fieldsOf("POST", "/transfers/bulk", body)).toEqual([
      "transfers[0].accountNumber",
      "transfers[0].amount",
      "transfers[0].bankCode",
    ]);
  });

  test("of an enquiry's query", async () => {
    const path = "/transfers/name-enquiry?bankCode=nobody&accountNumber=1";
    expect(await fieldsOf("GET", path)).toEqual(["accountNumber", "bankCode"]);
  });

  test("of a customer", async () => {
    const body = { first_name: "", last_name: "B", email: "no", phone: "+15551234567", bvn: "1" };
    expect(await fieldsOf("POST", "/loans/bnpl/customers", body)).toEqual(["bvn", "email", "first_name", "phone"]);
  });

  test("of a checkout, with its addresses and its bank", async () => {
    const body = {
      amount: "x",
      bank_account_no: "1",
      bank_code: "nobody",
      order_reference: "o",
      success_url: "ftp://x",
      cancel_url: "nowhere",
    };
    expect(await fieldsOf("POST", "/loans/bnpl/checkout-sessions", body)).toEqual(
      ["amount", "bank_account_no", "bank_code", "cancel_url", "customer", "customer_id", "success_url"].sort(),
    );
  });

  test("of a webhook endpoint", async () => {
    const body = { url: "gopher://x", events: ["nothing.happened"], description: 1 };
    expect(await fieldsOf("POST", "/webhooks/endpoints", body)).toEqual(["description", "events[0]", "url"]);
  });

  test("of a list's query, times and numbers alike", async () => {
    expect(await fieldsOf("GET", "/transfers?from=yesterday&limit=0&page=x")).toEqual(["from", "limit", "page"]);
  });
});

test("two rules that a well-formed payout breaks are both told, under the code of the first", async () => {
  const body = { accountNumber: "0690000032", bankCode: "nobody", amount: 1, currency: "NGN", reference: "two-rules" };
  const reply = await call("POST", "/transfers", { body });
  expect(reply.json()).toMatchObject({
    code: "amount_below_minimum",
    errors: [{ field: "amount" }, { field: "bankCode" }],
  });
});

describe("a field that may have several types", () => {
  test("says what is wrong with the one that was sent", async () => {
    const said = await errorsOf("POST", "/loans/quote", { amount: -5, tenure: "1.5", tenure_type: "monthly" });
    expect(said).toEqual({
      amount: "must be more than 0",
      tenure: expect.stringContaining("A positive whole number, in units of tenure_type."),
    });
  });

  test("says which types it takes when another was sent", async () => {
    const said = await errorsOf("POST", "/loans/quote", { amount: true, tenure: [], tenure_type: "monthly" });
    expect(said).toEqual({ amount: "must be a string or a number", tenure: "must be a string or a whole number" });
  });
});

describe("a number in a query is written plainly", () => {
  test.each(["1e1", "0x1", " 1", "+1", "1.0", "", "1,0", "٣", "NaN", "Infinity", "1_0"])("not as %j", async (text) => {
    expect(await fieldsOf("GET", `/transfers?page=${encodeURIComponent(text)}`)).toEqual(["page"]);
  });

  test.each(["0x64", "1e3", " 100", "+100", "100.", ".5", "", "1,000"])("no amount is %j", async (text) => {
    expect(await fieldsOf("GET", `/transfers/fee?amount=${encodeURIComponent(text)}`)).toEqual(["amount"]);
  });

  test("as digits, with a point where parts are allowed", async () => {
    expect((await call("GET", "/transfers?page=10&limit=100")).statusCode).toBe(200);
    expect((await call("GET", "/transfers/fee?amount=1000.50")).json().data.amount).toBe(1000.5);
  });
});

test("a UUID in capitals is the same UUID, in paths, bodies and queries", async () => {
  const { data: wallet } = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Till" } })).json();
  const shouted = wallet.id.toUpperCase();
  expect((await call("GET", `/wallets/sub-accounts/${shouted}`)).json().data).toEqual(wallet);
  const funded = await call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000, accountId: shouted } });
  expect(funded.statusCode).toBe(201);
  const balance = (await call("GET", `/wallets/balance?accountId=${shouted}`)).json().data;
  expect(balance).toMatchObject({ accountId: wallet.id, available: 5_000 });
  const body = {
    accountNumber: "0690000032",
    bankCode: "044",
    amount: 1_000,
    currency: "NGN",
    reference: "shouted",
    sourceAccountId: shouted,
  };
  const paid = await call("POST", "/transfers", { body });
  expect(paid.json().data).toMatchObject({ sourceAccountId: wallet.id });
  const again = await call("POST", "/transfers", { body: { ...body, sourceAccountId: wallet.id } });
  expect(again.statusCode).toBe(200);
  expect((await call("GET", `/transfers/${paid.json().data.id.toUpperCase()}`)).json().data).toEqual(paid.json().data);
});

describe("insufficient funds tell the figures", () => {
  const poor = async () => {
    const { data } = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Poor" } })).json();
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 500.25, accountId: data.id } });
    return data.id as string;
  };
  const payout = { accountNumber: "0690000032", bankCode: "044", amount: 1_000, currency: "NGN" };

  test("of a payout, fees included", async () => {
    const sourceAccountId = await poor();
    const reply = await call("POST", "/transfers", { body: { ...payout, reference: "poor-1", sourceAccountId } });
    expect(reply.json()).toMatchObject({
      code: "insufficient_funds",
      message: expect.stringContaining("510.50"),
      data: { balance: 500.25, needed: 1_010.75, short: 510.5, currency: "NGN" },
    });
  });

  test("of a move between own accounts", async () => {
    const [from, to] = [await poor(), await poor()];
    const reply = await call("POST", "/wallets/transfers", { body: { from, to, amount: 501, reference: "poor-2" } });
    expect(reply.json().data).toEqual({ balance: 500.25, needed: 501, short: 0.75, currency: "NGN" });
  });

  test("of a batch, for all its items together", async () => {
    const { available } = (await call("GET", "/wallets/balance")).json().data;
    const transfers = Array.from({ length: 12 }, (_, index) => ({
      accountNumber: "0690000032",
      bankCode: "044",
      amount: 10_000_000,
      reference: `poor-batch-${index}`,
    }));
    const body = { batchReference: "poor-batch", currency: "NGN", transfers };
    const reply = await call("POST", "/transfers/bulk", { body });
    expect(reply.json()).toMatchObject({ code: "insufficient_funds", data: { balance: available } });
    expect(reply.json().data.needed).toBe(12 * 10_000_103.75);
  });
});

describe("a key without the word Bearer", () => {
  test.each(["", "Basic ", "Token "])("is told the header's form, and never repeated: %j", async (scheme) => {
    const key = "sk_test_abcdefghijklmnopqrstuvwxyz0123456789";
    const reply = await call("GET", "/transfers", { key: null, headers: { authorization: `${scheme}${key}` } });
    expect([reply.statusCode, reply.json().code]).toEqual([401, "invalid_key"]);
    expect(reply.json().message).toContain("Authorization: Bearer");
    expect(reply.body).not.toContain(key);
  });
});
