/** What every category refuses in the same way, asked of each: money, wallets, references and billers that are away. */
import { describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { tamperedDesk } from "../../../testing/tampered-desk.ts";
import { kobo } from "../../money/kobo.ts";
import type { CustomerAnswer } from "../../rails/biller.ts";

const customers: Readonly<Record<string, object>> = {
  airtime: { network: "MTN", phoneNumber: "08031234567" },
  data: { network: "MTN", phoneNumber: "08031234567" },
  electricity: { provider: "ikeja-electric", meterNumber: "45012345678", meterType: "prepaid" },
  tv: { provider: "dstv", smartCardNumber: "7023456789" },
  betting: { provider: "bet9ja", customerId: "1234567" },
};
const categories = Object.keys(customers);

/** Decides what billers say about customers; undefined lets the simulated ones speak. */
let answer: CustomerAnswer | undefined;
const app = await createBillsApp(1_000_000, {
  tamper: ({ biller, ...others }) => ({
    ...others,
    biller: tamperedDesk(biller, (rail) => ({ ...rail, validate: ask(rail.validate) })),
  }),
});
const { call, vend, balance, db, merchant } = app;
const liveKey = await issueLiveKeyFor(db, merchant.merchant.id);

function ask<Question>(own: (question: Question) => Promise<CustomerAnswer>) {
  return (question: Question) => (answer === undefined ? own(question) : Promise.resolve(answer));
}

const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [reply.statusCode, reply.json().code];
const validate = (category: string, key = merchant.secretKey) =>
  call("POST", `/bills/${category}/validate`, { body: customers[category], key });

describe.each(categories)("%s", (category) => {
  test("is delivered once under one reference, and refuses another content", async () => {
    await validate(category);
    const reference = freshReference();
    const first = await vend(category, { reference });
    expect(first.statusCode).toBe(201);
    const again = await vend(category, { reference });
    expect([again.statusCode, again.json().data.id]).toEqual([200, first.json().data.id]);
    const { id } = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Other" } })).json().data;
    const other = await vend(category, { reference, sourceAccountId: id });
    expect(codeOf(other)).toEqual([409, "reference_conflict"]);
  });

  test("takes nothing from a wallet that has too little, nor from one that is not there", async () => {
    await validate(category);
    const before = await balance();
    const empty = (await call("POST", "/wallets/sub-accounts", { body: { accountName: "Empty" } })).json().data.id;
    expect(codeOf(await vend(category, { sourceAccountId: empty }))).toEqual([422, "insufficient_funds"]);
    const nobodys = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";
    expect(codeOf(await vend(category, { sourceAccountId: nobodys }))).toEqual([422, "source_account_not_found"]);
    expect(await balance()).toEqual(before);
  });

  test("has no biller in a live environment yet", async () => {
    expect(codeOf(await validate(category, liveKey))).toEqual([503, "rail_not_configured"]);
    const live = await call("POST", `/bills/${category}/vend`, { body: await orderOf(category), key: liveKey });
    expect(codeOf(live)).toEqual([503, "rail_not_configured"]);
  });

  test("confirms nobody whom the biller does not know, or while it cannot be asked", async () => {
    answer = { found: "no" };
    expect(codeOf(await validate(category))).toEqual([404, "customer_not_found"]);
    answer = { found: "unavailable" };
    expect(codeOf(await validate(category))).toEqual([503, "biller_unavailable"]);
    answer = undefined;
    expect((await validate(category)).statusCode).toBe(200);
  });
});

/** A whole order, as the sandbox accepts it. */
async function orderOf(category: string): Promise<object> {
  const more: Readonly<Record<string, object>> = {
    airtime: { amount: 1_000 },
    data: { planCode: "mtn-1gb-7d" },
    electricity: { amount: 5_000, phoneNumber: "08031234567" },
    tv: { packageCode: "dstv-compact", subscriptionType: "change", phoneNumber: "08031234567" },
    betting: { amount: 1_000 },
  };
  return { ...customers[category], ...more[category], reference: freshReference() };
}

test.each([
  [null, null, null, 4_400, null],
  [{ packageCode: "dstv-of-elsewhere", dueDate: "2026-12-01" }, null, "2026-12-01", 4_400, null],
  [{ packageCode: "dstv-padi", dueDate: "2026-12-01" }, "dstv-padi", "2026-12-01", 4_400, "the list's"],
  [{ packageCode: "dstv-of-elsewhere", dueDate: "2026-12-01" }, null, "2026-12-01", null, null],
])("a card with %j shows what the provider says of its renewal", async (subscription, runs, dueDate, says, price) => {
  const list = (await call("GET", "/bills/tv/list?provider=dstv")).json().data as {
    packageCode: string;
    amount: number;
  }[];
  const renewalAmount = says === null ? null : kobo(BigInt(says) * 100n);
  answer = { found: "yes", customer: { name: "ADA OBI", address: null, subscription, renewalAmount } };
  const shown = (await validate("tv")).json().data;
  answer = undefined;
  const ours = list.find(({ packageCode }) => packageCode === runs)?.amount;
  const expected = price === null ? says : ours;
  expect(expected).not.toBeUndefined();
  expect(shown).toMatchObject({ currentPackage: runs, dueDate, renewalAmount: expected });
});

test("a card on which nothing runs has nothing to renew", async () => {
  answer = { found: "yes", customer: { name: "ADA OBI", address: null, subscription: null, renewalAmount: null } };
  await validate("tv");
  answer = undefined;
  const reply = await vend("tv", { subscriptionType: "renew", packageCode: undefined });
  expect(codeOf(reply)).toEqual([422, "nothing_to_renew"]);
});

test("a company that does not serve a type of meter neither validates nor sells for it", async () => {
  const path = "/operator/bills/catalogues";
  const { version: _, ...whole } = (await app.operate("GET", path)).json().data;
  const companies = whole.electricityProviders.map((company: { code: string }) =>
    company.code === "ikeja-electric" ? { ...company, meterTypes: ["postpaid"] } : company,
  );
  const loaded = await app.operate("POST", path, { ...whole, electricityProviders: companies });
  expect(loaded.statusCode).toBe(201);
  // The catalogue is read again every five seconds.
  const refused = expect.poll(async () => (await validate("electricity")).json().code);
  await refused.toBe("meter_type_not_supported");
  expect(codeOf(await vend("electricity"))).toEqual([422, "meter_type_not_supported"]);
});

test("money commands that find no place in the queue are told when to come again", async () => {
  const busy = await createBillsApp(0, { queueBound: 0 });
  const reply = await busy.vend("airtime");
  expect(codeOf(reply)).toEqual([503, "ledger_busy"]);
  expect(reply.headers["retry-after"]).toBe("1");
});
