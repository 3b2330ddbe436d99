/** Checkouts that a customer left before consenting: they hold nobody, and never add up to too much. */
import { expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout-sessions.ts";

const app = await createCheckoutApp({ frozen: false });
const { open, browse, read, call, customer } = app;

const limit = 200_000;
const payee = { bank_account_no: "0123456789", bank_code: "058" } as const;

/** A checkout at which the customer has chosen the terms. */
async function choose(customerId: string, amount = limit) {
  const session = await open({ customer_id: customerId, amount });
  const page = browse(session.url);
  const { loan } = await page.act("terms", { tenor: 3 });
  return { session, page, loanId: loan?.id };
}

const eligibilityOf = async (customerId: string) =>
  (await call("GET", `/loans/bnpl/customers/${customerId}/eligibility`)).json().data;

const loanStatus = async (id: string | undefined) => (await call("GET", `/loans/bnpl/loans/${id}`)).json().data.status;

test("what was chosen and left leaves the whole limit, and ends when something else is chosen", async () => {
  const customerId = await customer();
  const left = await choose(customerId);
  expect(await eligibilityOf(customerId)).toMatchObject({ eligible: true, max_amount: limit });
  const next = await choose(customerId);
  expect(await loanStatus(left.loanId)).toBe("cancelled");
  expect(await read(left.session.id)).toMatchObject({ status: "cancelled" });
  expect(await left.page.view()).toMatchObject({ step: "cancelled" });
  expect(await loanStatus(next.loanId)).toBe("pending_consent");
});

test("a loan asked for by the API takes the place of what was left as well", async () => {
  const customerId = await customer();
  const left = await choose(customerId);
  const body = { amount: limit, tenor: 3, ...payee };
  const reply = await call("POST", `/loans/bnpl/customers/${customerId}/loans`, { body });
  expect(reply.statusCode, reply.body).toBe(201);
  expect(await loanStatus(left.loanId)).toBe("cancelled");
});

test("what was consented to counts, and is not given up", async () => {
  const customerId = await customer();
  const kept = await choose(customerId, 150_000);
  await kept.page.act("consent/request");
  await kept.page.act("consent/verify", { otp: "123456" });
  expect(await eligibilityOf(customerId)).toMatchObject({ max_amount: 50_000 });
  const second = browse((await open({ customer_id: customerId, amount: 60_000 })).url);
  expect(await second.view()).toMatchObject({ step: "not_eligible" });
  const refused = await second.send("POST", "/hosted/checkout/terms", { tenor: 3 });
  expect(refused.statusCode, refused.body).toBe(422);
  expect(await loanStatus(kept.loanId)).toBe("pending_card");
});

test("terms chosen at several checkouts at once leave one loan", async () => {
  const customerId = await customer();
  const sessions = await Promise.all([1, 2, 3].map(() => open({ customer_id: customerId, amount: limit })));
  const replies = await Promise.all(
    sessions.map(({ url }) => browse(url).send("POST", "/hosted/checkout/terms", { tenor: 3 })),
  );
  expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200]);
  const statuses = await Promise.all(sessions.map(async ({ id }) => (await read(id)).status));
  expect(statuses.sort()).toEqual(["cancelled", "cancelled", "open"]);
});
