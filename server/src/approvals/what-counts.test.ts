/** Everything by which a person takes money out of a wallet counts to their limit, and the list of it is complete. */
import { describe, expect, test } from "vitest";
import { signIn, type Visitor } from "../../testing/console.ts";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";

const testing = await createPayingApp();
const { call, balance } = testing;
const owner = await signIn(testing, { email: "owner@example.com", role: "owner" });
const someId = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";

let people = 0;
/** Somebody who has not paid anything yet. */
const maker = () => {
  people += 1;
  return signIn(testing, { email: `maker-${people}@example.com`, role: "finance" });
};
const setLimit = (amount: number | null) => owner.call("PUT", "/approval-limits", { amount });
const spentBy = async (person: Visitor) => (await person.call("GET", "/approval-limits")).json().data.spent;

const phone = { phoneNumber: "08031234567" };
const smartCard = { provider: "dstv", smartCardNumber: "7023456789" };
const bettor = { provider: "bet9ja", customerId: "1234567" };
const item = () => ({ accountNumber: "0690000032", bankCode: "044", amount: 1_000, reference: freshReference() });
const repayment = () => ({ amount: 1_000, channel: "bank_transfer", reference: freshReference() });

const bills: Readonly<Record<string, () => object>> = {
  "/bills/airtime/vend": () => ({ network: "MTN", ...phone, amount: 1_000 }),
  "/bills/data/vend": () => ({ network: "MTN", ...phone, planCode: "mtn-1gb-7d" }),
  "/bills/electricity/vend": () => ({
    provider: "ikeja-electric",
    meterNumber: "45012345678",
    meterType: "prepaid",
    ...phone,
    amount: 500_000,
  }),
  "/bills/tv/vend": () => ({ ...smartCard, ...phone, packageCode: "dstv-compact", subscriptionType: "change" }),
  "/bills/betting/vend": () => ({ ...bettor, amount: 100_000 }),
};
/** By the path of the description. */
const limited: Readonly<Record<string, () => object>> = {
  ...bills,
  "/transfers": () => ({ ...item(), currency: "NGN" }),
  "/transfers/bulk": () => ({ batchReference: freshReference(), currency: "NGN", transfers: [item()] }),
  "/loans/{id}/repayments": repayment,
  "/loans/bnpl/loans/{loanId}/repayments": repayment,
  "/loans/bnpl/loans/{loanId}/refund": () => ({ amount: 1_000, reason: "Returned", reference: freshReference() }),
};
const free = {
  "/wallets/transfers": "the money stays in a wallet of the merchant's",
  "/sandbox/loans/{id}/disburse": "a sandbox's lender pays, no wallet",
};
const send = (person: Visitor, path: string, body: object) =>
  person.call("POST", path.replace(/\{\w+\}/, someId), { reference: freshReference(), ...body });

async function validateCustomers(): Promise<void> {
  expect((await call("POST", "/bills/tv/validate", { body: smartCard })).statusCode).toBe(200);
  expect((await call("POST", "/bills/betting/validate", { body: bettor })).statusCode).toBe(200);
}

describe("the limit of a person", () => {
  test("is asked about by every operation that can find too little in a wallet", async () => {
    const { paths } = (await call("GET", "/openapi.json")).json();
    const taking = Object.entries<Readonly<Record<string, unknown>>>(paths).flatMap(([path, operations]) =>
      JSON.stringify(operations).includes("insufficient_funds") ? [path] : [],
    );
    expect(taking.sort()).toEqual([...Object.keys(limited), ...Object.keys(free)].sort());
  });

  test.each(Object.entries(limited))("refuses POST %s when nothing is left of it", async (path, body) => {
    await setLimit(0);
    await validateCustomers();
    const ada = await maker();
    const before = await balance();
    const reply = await send(ada, path, body());
    expect([reply.statusCode, reply.json().code], reply.body).toEqual([403, "approval_needed"]);
    expect(reply.json().data).toMatchObject({ limit: 0, spent: 0 });
    expect(await balance()).toEqual(before);
    expect(await spentBy(ada)).toBe(0);
  });

  test.each(Object.entries(bills))("counts what POST %s takes, once for a reference", async (path, body) => {
    await setLimit(1_000_000);
    await validateCustomers();
    const ada = await maker();
    const wanted = { ...body(), reference: freshReference() };
    const bought = await send(ada, path, wanted);
    expect(bought.statusCode, bought.body).toBe(201);
    const { amount } = bought.json().data;
    expect(amount).toBeGreaterThan(0);
    expect(await spentBy(ada)).toBe(amount);
    expect((await send(ada, path, wanted)).statusCode).toBe(200);
    expect(await spentBy(ada)).toBe(amount);
    await setLimit(amount);
    expect((await send(ada, path, body())).json().code).toBe("approval_needed");
    expect((await call("POST", path, { body: { ...body(), reference: freshReference() } })).statusCode).toBe(201);
  });

  test("adds up payouts and bills, and leaves out what was refused", async () => {
    await setLimit(10_000);
    const ada = await maker();
    const airtime = (amount: number, network = "MTN") =>
      send(ada, "/bills/airtime/vend", { network, ...phone, amount });
    expect((await airtime(6_000)).statusCode).toBe(201);
    expect((await airtime(2_000, "NOBODY")).json().code).toBe("unknown_network");
    expect((await send(ada, "/transfers", { ...item(), currency: "NGN", amount: 4_000.01 })).json().code).toBe(
      "approval_needed",
    );
    expect((await send(ada, "/transfers", { ...item(), currency: "NGN", amount: 4_000 })).statusCode).toBe(201);
    expect((await airtime(100)).json().data).toEqual({ limit: 10_000, spent: 10_000, amount: 100 });
  });

  test("counts no repayment of a loan that is not there", async () => {
    await setLimit(10_000);
    const ada = await maker();
    for (const path of ["/loans/{id}/repayments", "/loans/bnpl/loans/{loanId}/refund"]) {
      expect((await send(ada, path, limited[path]?.() ?? {})).statusCode).toBe(404);
    }
    expect(await spentBy(ada)).toBe(0);
  });
});
