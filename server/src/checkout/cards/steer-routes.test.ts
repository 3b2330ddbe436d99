/** Charges that wait for the holder, charges that are taken back, refunds that take days. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createPlanApp } from "../../../testing/checkout/plans.ts";
import { silentLog } from "../../../testing/work.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import type { CardRail } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { verifyCardRefunds } from "../verify-checkout.ts";
import { askAboutCharge, returnLateMoney } from "./ask-about-charge.ts";
import { chargeCard } from "./charge-card.ts";

const app = await createPlanApp();
const { call, advance, lend, heard } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });
const environmentId = app.merchant.environment.id;
const simulated = app.rails.simulatedCard.rail;

const steer = (path: string, options = {}) => call("POST", `/sandbox/${path}`, options);
const pay = async (loanId: string, amount = 20_000) => {
  const body = { amount, channel: "card", reference: `pay-${randomUUID()}` };
  return call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body });
};
const repayments = async (loanId: string) =>
  (await call("GET", `/loans/bnpl/loans/${loanId}/repayments`)).json().data as { id: string; status: string }[];
const balance = async (loanId: string) => (await call("GET", `/loans/bnpl/loans/${loanId}`)).json().data.balance;
const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

function through(change: (rail: CardRail) => Partial<CardRail>) {
  const rails = { card: deskOf({ SANDBOX: { ...simulated, ...change(simulated) }, LIVE: null }) };
  const announce = announceCheckoutLoan({ loanMoved });
  return { db: app.db, sealer: app.dependencies.sealer, rails, log: silentLog, announce };
}

test("a charge whose holder must confirm stays under way, and pays when the holder has", async () => {
  const { loanId } = await lend("asks_holder");
  const asked = await pay(loanId);
  expect([asked.statusCode, asked.json().data.status]).toEqual([202, "processing"]);
  await advance({ days: 0, minutes: 30 });
  expect(await repayments(loanId)).toEqual([]);
  const done = await steer(`charges/${asked.json().data.id}/confirm`);
  expect(done.statusCode, done.body).toBe(200);
  expect(done.json().data).toMatchObject({ id: asked.json().data.id, loanId, status: "successful", amount: 20_000 });
  expect(await repayments(loanId)).toMatchObject([{ amount: 20_000, status: "successful" }]);
  expect(codeOf(await steer(`charges/${asked.json().data.id}/confirm`))).toEqual([409, "invalid_state"]);
});

test("a holder who refuses, or is silent for a day, pays nothing", async () => {
  const refused = await lend("asks_holder");
  const { id } = (await pay(refused.loanId)).json().data;
  const reply = await steer(`charges/${id}/decline`);
  expect(reply.json().data).toMatchObject({ status: "failed", reason: { code: "holder_refused" }, repaymentId: null });
  expect((await heard(refused.loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
  const silent = await lend("asks_holder");
  await pay(silent.loanId);
  await advance({ days: 2 });
  expect(await repayments(silent.loanId)).toEqual([]);
  expect((await heard(silent.loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
});

test("only the customer's own page says where to confirm, and only until it is decided", async () => {
  const { loanId, visit } = await app.visit("asks_holder");
  const reply = await visit.pay(21_500);
  const { confirmUrl } = reply.json().data.charge;
  expect(confirmUrl).toMatch(new RegExp(`^/sandbox/bank-page/${environmentId}/charges/`));
  const row = await app.within((tx) =>
    tx.selectFrom("card_charges").select("sealed_confirm_url").where("loan_id", "=", loanId).executeTakeFirstOrThrow(),
  );
  expect(row.sealed_confirm_url?.includes("bank-page")).toBe(false);
  const page = await app.app.inject({ url: confirmUrl });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.body).toContain("NGN 21500.00 is to be taken");
  const confirmed = await app.app.inject({
    method: "POST",
    url: `${confirmUrl}/confirm`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "",
  });
  expect([confirmed.statusCode, confirmed.headers.location]).toEqual([303, confirmUrl]);
  expect((await app.app.inject({ url: confirmUrl })).body).toContain("The payment is confirmed");
  expect((await visit.view()).charge).toMatchObject({ status: "successful", confirmUrl: null });
  expect(await repayments(loanId)).toHaveLength(1);
});

test.each([
  ["an unknown charge", () => `/sandbox/bank-page/${environmentId}/charges/${randomUUID()}`],
  ["another sandbox", () => `/sandbox/bank-page/${app.otherMerchant.environment.id}/charges/${randomUUID()}`],
  ["no id", () => "/sandbox/bank-page/x/charges/y"],
])("the bank's page knows nothing of %s", async (_, path) => {
  expect((await app.app.inject({ url: path() })).statusCode).toBe(404);
  expect((await app.app.inject({ method: "POST", url: `${path()}/confirm` })).statusCode).toBe(404);
});

test("a charge that the bank takes back reverses its repayment, once", async () => {
  const { loanId } = await lend();
  const before = await balance(loanId);
  const { id: repaymentId } = (await pay(loanId)).json().data;
  expect(await balance(loanId)).toBe(before - 20_000);
  const headers = { "idempotency-key": "take-back" };
  const taken = await steer(`charges/${repaymentId}/take-back`, { headers });
  expect(taken.statusCode, taken.body).toBe(200);
  expect(taken.json().data).toMatchObject({ repaymentId, status: "reversed" });
  expect((await steer(`charges/${repaymentId}/take-back`, { headers })).body).toBe(taken.body);
  const told = await heard(loanId);
  expect(told.filter((event) => event === "bnpl.loan.repayment.failed")).toHaveLength(1);
  const { id } = taken.json().data;
  await Promise.all(
    Array.from({ length: 4 }, () =>
      askAboutCharge(
        through(() => ({})),
        { environmentId, id },
      ),
    ),
  );
  expect(await heard(loanId)).toEqual(told);
  expect(await balance(loanId)).toBe(before);
  expect(await repayments(loanId)).toMatchObject([{ id: repaymentId, status: "reversed" }]);
});

test("a charge that is taken back while we wait for its answer has failed", async () => {
  const { loanId } = await lend();
  const deps = through((rail) => ({
    charge: async (order) => {
      await rail.charge(order);
      return { outcome: "unknown" };
    },
  }));
  const amount = parseNaira("10000") ?? zeroKobo;
  const { charge } = await chargeCard(deps, { environmentId, loanId, amount, reference: `lost-${loanId}` });
  await app.rails.simulatedCard.decideCharge(environmentId, charge.id, "take_back");
  await askAboutCharge(deps, { environmentId, id: charge.id });
  expect(await repayments(loanId)).toEqual([]);
  const replayed = await chargeCard(deps, { environmentId, loanId, amount, reference: `lost-${loanId}` });
  expect(replayed.charge).toMatchObject({ status: "failed", failure: { code: "charged_back" } });
});

/** A loan that was paid by card and whose order then went back: the money is the customer's credit. */
async function credited(outcome?: "linked" | "refunds_slowly") {
  const { loanId } = await lend(outcome);
  const { id: repaymentId } = (await pay(loanId)).json().data;
  const body = { amount: 60_000, reason: "Returned", reference: `back-${loanId}` };
  expect((await call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body })).statusCode).toBe(201);
  return { loanId, repaymentId };
}

const giveBack = (loanId: string, amount: number) => {
  const body = { amount, channel: "card", reference: `credit-${randomUUID()}` };
  return call("POST", `/loans/bnpl/loans/${loanId}/credit/refund`, { body });
};

test("a charge that we refunded ourselves is not taken back as well", async () => {
  const { loanId, repaymentId } = await credited();
  expect((await giveBack(loanId, 20_000)).statusCode).toBe(201);
  const told = await heard(loanId);
  const reply = await steer(`charges/${repaymentId}/take-back`);
  expect(reply.json().data.status).toBe("successful");
  expect(await heard(loanId)).toEqual(told);
  expect(await app.within(verifyCardRefunds)).toEqual([]);
});

test("a slow refund stays in processing for days, until it is decided", async () => {
  const { loanId } = await credited("refunds_slowly");
  const slow = await giveBack(loanId, 5_000);
  expect([slow.statusCode, slow.json().data.status]).toEqual([202, "processing"]);
  await advance({ days: 5 });
  const completed = await steer(`card-refunds/${slow.json().data.id}/complete`);
  expect(completed.json().data).toMatchObject({ loanId, amount: 5_000, status: "successful", reason: null });
  expect(codeOf(await steer(`card-refunds/${slow.json().data.id}/fail`))).toEqual([409, "invalid_state"]);
  const other = await giveBack(loanId, 5_000);
  const failed = await steer(`card-refunds/${other.json().data.id}/fail`);
  expect(failed.json().data).toMatchObject({ status: "failed", reason: { code: "refund_refused" } });
  expect(codeOf(await steer(`card-refunds/${other.json().data.id}/complete`))).toEqual([409, "invalid_state"]);
  const sent = await booksOf(app.pool, environmentId).query<{ attempts: number }>(
    "select attempts from simulated_card.refunds where sandbox = $1 and refund_id = $2",
    [environmentId, slow.json().data.id],
  );
  // Asked about for five days, and sent once.
  expect(sent.rows).toEqual([{ attempts: 1 }]);
});

test("money that comes for a charge that had failed goes back to the card, once", async () => {
  const { loanId } = await lend();
  const deps = through((rail) => ({
    charge: async (order) => {
      await rail.charge(order);
      return { outcome: "declined", code: "05", message: "Declined." };
    },
  }));
  const amount = parseNaira("10000") ?? zeroKobo;
  const { charge } = await chargeCard(deps, { environmentId, loanId, amount, reference: `late-${loanId}` });
  expect(charge.status).toBe("failed");
  const name = { environmentId, id: charge.id };
  await askAboutCharge(deps, name);
  await advance({ seconds: 1 });
  await returnLateMoney(deps, name);
  const back = await booksOf(app.pool, environmentId).query<{ amount: bigint }>(
    "select amount from simulated_card.refunds where sandbox = $1 and charge_id = $2",
    [environmentId, charge.id],
  );
  expect(back.rows).toEqual([{ amount: 1_000_000n }]);
  expect(await repayments(loanId)).toEqual([]);
});

test.each([
  ["charges", "confirm", "charge_not_found"],
  ["charges", "decline", "charge_not_found"],
  ["charges", "take-back", "charge_not_found"],
  ["card-refunds", "complete", "card_refund_not_found"],
  ["card-refunds", "fail", "card_refund_not_found"],
])("%s/{id}/%s of another merchant is %s", async (collection, word, code) => {
  const { loanId } = await lend();
  const { id } = (await pay(loanId)).json().data;
  const key = app.otherMerchant.secretKey;
  expect(codeOf(await steer(`${collection}/${id}/${word}`, { key }))).toEqual([404, code]);
  expect(codeOf(await steer(`${collection}/not-an-id/${word}`))).toEqual([404, code]);
});

test("a charge that has paid cannot be confirmed or declined, one under way not taken back", async () => {
  const { loanId } = await lend();
  const { id } = (await pay(loanId)).json().data;
  for (const word of ["confirm", "decline"]) {
    expect(codeOf(await steer(`charges/${id}/${word}`))).toEqual([409, "invalid_state"]);
  }
  const asking = await lend("asks_holder");
  const open = (await pay(asking.loanId)).json().data;
  expect(codeOf(await steer(`charges/${open.id}/take-back`))).toEqual([409, "invalid_state"]);
});
