/**
 * A server that is not connected to a bank, a card network or a message gateway says so, and has changed nothing: the
 * same request to a server that is connected then succeeds.
 */
import type { LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { TestApp } from "../../testing/app.ts";
import { goodLoan } from "../../testing/checkout/checkout.ts";
import { agreementOf, browserOf, createCheckoutApp, goodCard } from "../../testing/checkout/checkout-sessions.ts";
import { withPlans } from "../../testing/checkout/plans.ts";
import { createServerBeside, noRails } from "../../testing/server-beside.ts";

type Server = Pick<TestApp, "app" | "call">;
/** One request, which can be sent to either server. */
type Ask = (server: Server) => Promise<LightMyRequestResponse>;

const connected = withPlans(await createCheckoutApp());
const unconnected = await createServerBeside(connected, { rails: noRails });
const { call, customer, lend, loan, advance, browse, open, operatorToken } = connected;

const post =
  (path: string, body: unknown = {}, key?: string): Ask =>
  (server) =>
    server.call("POST", path, { body, ...(key === undefined ? {} : { key }) });
const onPage =
  ({ token }: { readonly token: string }, path: string, body?: unknown): Ask =>
  ({ app }) =>
    browserOf(app, `#${token}`).send("POST", path, body);

async function chosen() {
  const page = browse((await open()).url);
  await page.act("terms", { tenor: 3 });
  return page;
}

async function consented() {
  const page = await chosen();
  await page.act("consent/request");
  await page.act("consent/verify", { otp: "123456" });
  return page;
}

/** A loan that was paid by card and whose order then went back: all of the money is the customer's credit. */
async function credited(): Promise<string> {
  const { loanId } = await lend();
  const path = `/loans/bnpl/loans/${loanId}`;
  const paid = await call("POST", `${path}/repayments`, {
    body: { amount: 20_000, channel: "card", reference: `paid-${loanId}` },
  });
  const body = { amount: 60_000, reason: "Returned", reference: `back-${loanId}` };
  const returned = await call("POST", `${path}/refund`, { body });
  expect([paid.statusCode, returned.statusCode]).toEqual([201, 201]);
  return loanId;
}

async function approved(): Promise<string> {
  const customerId = await customer();
  await connected.link(customerId, "linked");
  const loanId = await loan(customerId);
  await connected.consent(loanId);
  return loanId;
}

/** A phone that waits for its code, which can be sent once more. */
async function changing(): Promise<string> {
  const person = { first_name: "Adaeze", last_name: "Okafor", email: "adaeze@example.com", bvn: "33000000771" };
  const path = "/loans/bnpl/customers";
  const { id } = (await call("POST", path, { body: { ...person, phone: "0803 771 0001" } })).json().data;
  const again = await call("POST", path, { body: { ...person, phone: "0803 771 0002" } });
  await advance({ seconds: 61 });
  return `${path}/${id}/contact-changes/${again.json().data.pending_change.id}/resend`;
}

const visited = async () => (await connected.visit()).visit;

const cases: Readonly<Record<string, () => Promise<Ask>>> = {
  "the checkout asks the bank": async () => onPage(browse((await open()).url), "/hosted/checkout/terms", { tenor: 3 }),
  "the checkout sends a code": async () => {
    const page = await chosen();
    return onPage(page, "/hosted/checkout/consent/request", await agreementOf(page));
  },
  "the checkout leads to the card page": async () => onPage(await consented(), "/hosted/checkout/card-link"),
  "the card page links a card": async () => {
    const page = await connected.toCardPage(await consented());
    return onPage(page, "/hosted/card-link/card", { cardToken: await page.vault(goodCard) });
  },
  "the card page leads to the bank's": async () => {
    const bvn = "33000000779";
    const person = { first_name: "Ada", last_name: "Obi", email: "ada@bank-page.example", bvn, phone: "0803 779 0001" };
    const { id } = (await call("POST", "/loans/bnpl/customers", { body: person })).json().data;
    const { url } = (await call("POST", `/loans/bnpl/customers/${id}/cards/link`, { body: {} })).json().data;
    return onPage(connected.browseCard(url), "/hosted/card-link/start");
  },
  "the plan's door sends a code": async () =>
    onPage(connected.door(await connected.address((await lend()).loanId)), "/hosted/plan/code"),
  "the plan leads to the card page": async () => onPage(await visited(), "/hosted/plan/visit/card-link"),
  "the plan is paid": async () => {
    const press = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";
    return onPage(await visited(), "/hosted/plan/visit/pay", { amount: 21_500, owed: 64_500, press });
  },
  "a card is to be linked": async () => post(`/loans/bnpl/customers/${await customer()}/cards/link`),
  "another code for new contact data": async () => post(await changing()),
  "a loan is asked for": async () => post(`/loans/bnpl/customers/${await customer()}/loans`, goodLoan),
  "consent is asked for": async () => post(`/loans/bnpl/loans/${await loan(await customer())}/consent/request`),
  "a card repays": async () => {
    const body = { amount: 21_500, channel: "card", reference: "without-rails" };
    return post(`/loans/bnpl/loans/${(await lend()).loanId}/repayments`, body);
  },
  "credit goes back to a card": async () => {
    const body = { amount: 10_000, channel: "card", reference: "without-rails" };
    return post(`/loans/bnpl/loans/${await credited()}/credit/refund`, body);
  },
  "an operator has a loan paid out": async () =>
    post(`/operator/checkout-loans/${await approved()}/disburse`, { reason: "Ticket 4711" }, operatorToken),
};

const tables = ["card_links", "card_charges", "card_refunds", "consent_codes", "checkout_loans", "transfers"];

/** Every row that a code, a card or money leaves behind. */
async function rows(): Promise<Record<string, string>> {
  const found = [...tables, "loan_accounts", "entries", "events", "agenda"].map(async (table) => {
    const read = sql<{ all: string }>`
      select md5(string_agg(t::text, ' ' order by t::text)) as all from ${sql.table(table)} t`;
    const [row] = (await connected.within((tx) => read.execute(tx))).rows;
    return [table, row?.all ?? ""] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

beforeAll(async () => {
  const reply = await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  expect(reply.statusCode).toBe(201);
});

test.each(Object.entries(cases))("where nobody is connected, nothing moves when %s", async (_, prepare) => {
  const ask = await prepare();
  const before = await rows();
  const refused = await ask(unconnected);
  expect([refused.statusCode, refused.json().code]).toEqual([503, "rail_not_configured"]);
  expect(refused.headers["retry-after"]).toBe("3600");
  expect(await rows()).toEqual(before);
  const done = await ask(connected);
  expect([200, 201], done.body).toContain(done.statusCode);
});
