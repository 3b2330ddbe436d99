import { expect, test } from "vitest";
import { type CardFaults, withCardFaults } from "../../../testing/checkout/card-faults.ts";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { silentLog } from "../../../testing/work.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { reverseRepayment } from "../../lending/collect/reverse-repayment.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import type { CardRail } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { verifyCardRefunds } from "../verify-checkout.ts";
import { findCardRefund, insertCardRefund } from "./card-refund-store.ts";
import { cardSweepSources } from "./cards.job.ts";
import { listPaidCharges } from "./charge-store.ts";
import { type CardRefundDependencies, pursueCardRefunds } from "./refund-order.ts";
import { promisedToCards, refundToCard } from "./refund-to-card.ts";

const app = await createCheckoutApp();
const { advance, call, db, within } = app;
const environmentId = app.merchant.environment.id;
const announce = announceCheckoutLoan({ loanMoved });
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

function through(faults: CardFaults = {}) {
  const faulty = withCardFaults(app.rails.simulatedCard.rail, faults);
  const deps: CardRefundDependencies = {
    db,
    log: silentLog,
    announce,
    rails: { card: deskOf({ SANDBOX: faulty.rail, LIVE: null }) },
  };
  return { faulty, deps };
}

let made = 0;
const fresh = () => {
  made += 1;
  return `back-${made}`;
};
const command = (loanId: string, amount = "10,000.00", reference = fresh()) => ({
  environmentId,
  loanId,
  amount: naira(amount),
  reference,
});

async function sent(path: string, body: Readonly<Record<string, unknown>>) {
  const reply = await call("POST", path, { body: { reference: fresh(), ...body } });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data;
}

/**
 * Paid by card in these amounts, and then refunded by the merchant on the same day. Of the 60,000 lent that leaves
 * 46,000 and 3,450 of interest, or nothing.
 */
async function credited(
  payments: readonly number[] = [44_450, 20_000],
  { refund, credit } = { refund: 14_000, credit: 15_000 },
): Promise<string> {
  const { loanId } = await app.lend();
  for (const amount of payments) await sent(`/loans/bnpl/loans/${loanId}/repayments`, { amount, channel: "card" });
  await sent(`/loans/bnpl/loans/${loanId}/refund`, { amount: refund, reason: "Returned" });
  expect(await creditOf(loanId)).toBe(credit);
  return loanId;
}

const creditOf = async (loanId: string) => (await app.read(loanId))["credit"];

/** What the network's books say has gone back, by charge. */
async function givenBack(loanId: string): Promise<[charged: number, back: number][]> {
  const found = await booksOf(app.pool, environmentId).query<{ charged: bigint; back: bigint }>(
    `select c.amount as charged, sum(r.amount)::bigint as back
     from simulated_card.refunds r join simulated_card.charges c using (sandbox, charge_id)
     where sandbox = $1 and r.status = 'paid' and c.narration like $2 group by c.charge_id, c.amount order by 1`,
    [environmentId, `%${loanId}%`],
  );
  return found.rows.map(({ charged, back }) => [Number(charged) / 100, Number(back) / 100]);
}

async function intact(): Promise<void> {
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
  expect(await within(verifyCardRefunds)).toEqual([]);
}

test("credit goes back to the newest charge, and the same reference again is the same refund", async () => {
  const loanId = await credited();
  const { deps, faulty } = through();
  const wanted = command(loanId);
  const first = await refundToCard(deps, wanted);
  expect(first).toMatchObject({ replayed: false, refund: { status: "successful", failure: null } });
  expect(await refundToCard(deps, wanted)).toEqual({ refund: first.refund, replayed: true });
  expect(faulty.refunds).toHaveLength(1);
  expect(await givenBack(loanId)).toEqual([[20_000, 10_000]]);
  expect(await creditOf(loanId)).toBe(5_000);
  expect((await app.heard(loanId)).at(-1)).toBe("bnpl.loan.credit.refunded");
  await intact();
});

test("a charge gives back no more than it paid, and what none covers is refused with what is possible", async () => {
  const loanId = await credited([20_000, 20_000, 20_000], { refund: 60_000, credit: 60_000 });
  const { deps, faulty } = through();
  await expect(refundToCard(deps, command(loanId, "20,000.01"))).rejects.toMatchObject({
    code: "card_refund_too_large",
    data: { refundable: 20_000 },
  });
  for (const amount of ["15,000.00", "20,000.00", "5,000.00", "20,000.00"]) {
    expect((await refundToCard(deps, command(loanId, amount))).refund.status).toBe("successful");
  }
  expect(await creditOf(loanId)).toBe(0);
  expect(faulty.refunds).toHaveLength(4);
  expect((await givenBack(loanId)).reduce((sum, [, back]) => sum + back, 0)).toBe(60_000);
  await expect(refundToCard(deps, command(loanId, "0.01"))).rejects.toMatchObject({
    code: "credit_too_small",
    data: { credit: 0 },
  });
  await intact();
});

test("a declined refund is kept with its reason, and the credit stays", async () => {
  const loanId = await credited();
  const { deps, faulty } = through({ declinedRefunds: 1 });
  const wanted = command(loanId, "15,000.00");
  const failure = { code: "57", message: "The issuer refused it." };
  expect(await refundToCard(deps, wanted)).toMatchObject({ refund: { status: "failed", failure } });
  expect(await refundToCard(deps, wanted)).toMatchObject({ replayed: true, refund: { status: "failed", failure } });
  expect(faulty.refunds).toHaveLength(1);
  expect(await creditOf(loanId)).toBe(15_000);
  expect(await sweep(db, cardSweepSources, silentLog)).toBe(0);
  expect((await refundToCard(deps, { ...wanted, reference: fresh() })).refund.status).toBe("successful");
  expect(await givenBack(loanId)).toEqual([[20_000, 15_000]]);
});

test("an answer that was lost is asked for again; meanwhile the credit is held, and it goes back once", async () => {
  const loanId = await credited();
  const { deps } = through({ errorsAfterRefund: 1 });
  const wanted = command(loanId);
  const { refund } = await refundToCard(deps, wanted);
  expect(refund.status).toBe("processing");
  expect(await refundToCard(deps, wanted)).toMatchObject({ replayed: true, refund: { status: "processing" } });
  await expect(refundToCard(deps, command(loanId, "5,000.01"))).rejects.toMatchObject({
    code: "credit_too_small",
    data: { credit: 5_000 },
  });
  expect(await creditOf(loanId)).toBe(15_000);
  await advance({ seconds: 5 });
  expect(await refundToCard(deps, wanted)).toMatchObject({
    replayed: true,
    refund: { id: refund.id, status: "successful" },
  });
  expect(await creditOf(loanId)).toBe(5_000);
  expect(await givenBack(loanId)).toEqual([[20_000, 10_000]]);
  await intact();
});

test("an operator sees a refund whose outcome is owed", async () => {
  const loanId = await credited();
  const { refund } = await refundToCard(through({ errorsAfterRefund: 1 }).deps, command(loanId));
  const list = async () => (await app.operate("GET", "/operator/unknowns?olderThan=0&limit=1000")).json().data;
  expect(await list()).toContainEqual(
    expect.objectContaining({ type: "card_refund", id: refund.id, amount: 10_000, loanId, environmentId }),
  );
  await advance({ seconds: 5 });
  expect(await list()).toEqual([]);
});

test.each(["crashBeforeRefund", "crashAfterRefund"] as const)(
  "a refund whose worker met %s is finished once",
  async (fault) => {
    const loanId = await credited();
    const wanted = command(loanId);
    await expect(refundToCard(through({ [fault]: 1 }).deps, wanted)).rejects.toThrow("died");
    expect(await creditOf(loanId)).toBe(15_000);
    expect(await sweep(db, cardSweepSources, silentLog)).toBe(1);
    await advance({ seconds: 60 });
    expect(await refundToCard(through().deps, wanted)).toMatchObject({
      replayed: true,
      refund: { status: "successful" },
    });
    expect(await creditOf(loanId)).toBe(5_000);
    expect(await givenBack(loanId)).toEqual([[20_000, 10_000]]);
  },
);

test("workers with the same answer book one refund", async () => {
  const loanId = await credited();
  const { refund } = await refundToCard(through({ errorsAfterRefund: 1 }).deps, command(loanId));
  const { deps } = through();
  await Promise.all([1, 2, 3].map(() => pursueCardRefunds(deps).takeUp({ environmentId, id: refund.id })));
  expect(await creditOf(loanId)).toBe(5_000);
  expect((await app.heard(loanId)).filter((event) => event === "bnpl.loan.credit.refunded")).toHaveLength(1);
  await intact();
});

test("a refund that has gone out is booked although its credit is gone, and the loan is owed again", async () => {
  const { loanId } = await app.lend();
  const pay = (amount: number, channel: string) => sent(`/loans/bnpl/loans/${loanId}/repayments`, { amount, channel });
  await pay(20_000, "card");
  const { id: repaymentId } = await pay(60_000, "cash");
  const { refund } = await refundToCard(through({ errorsAfterRefund: 1 }).deps, command(loanId));
  await within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    const promised = () => promisedToCards(tx, loanId);
    await reverseRepayment(tx, { accountId, repaymentId, reason: "Counted wrong", promised, announce });
  });
  await advance({ seconds: 60 });
  expect((await within((tx) => findCardRefund(tx, refund.id)))?.status).toBe("successful");
  expect(await app.read(loanId)).toMatchObject({ status: "active", balance: 54_500, credit: 0 });
  expect(await givenBack(loanId)).toEqual([[20_000, 10_000]]);
  await intact();
});

test("a charge whose refund is on its way is not taken back as well", async () => {
  const { loanId } = await app.lend();
  const pay = (amount: number, channel: string) => sent(`/loans/bnpl/loans/${loanId}/repayments`, { amount, channel });
  const { id: repaymentId } = await pay(20_000, "card");
  await pay(60_000, "cash");
  await refundToCard(through({ errorsAfterRefund: 1 }).deps, command(loanId));
  const reversed = within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    const promised = () => promisedToCards(tx, loanId);
    await reverseRepayment(tx, { accountId, repaymentId, reason: "Charged back", promised, announce });
  });
  await expect(reversed).rejects.toMatchObject({
    code: "repayment_refunded",
    data: { channel: "card", paid: 20_000, refunded: 10_000 },
  });
  await advance({ seconds: 60 });
  await intact();
});

test("a charge whose repayment was taken back is not refunded", async () => {
  const { loanId } = await app.lend();
  const pay = (amount: number, channel: string) => sent(`/loans/bnpl/loans/${loanId}/repayments`, { amount, channel });
  await pay(5_000, "card");
  const { id: repaymentId } = await pay(20_000, "card");
  await within(async (tx) => {
    const { accountId } = await requireCheckoutLoan(tx, loanId);
    await reverseRepayment(tx, { accountId, repaymentId, reason: "Charged back", announce });
  });
  await pay(70_000, "cash");
  const { deps } = through();
  await expect(refundToCard(deps, command(loanId, "5,000.01"))).rejects.toMatchObject({
    code: "refund_channel_mismatch",
    data: { refundable: 5_000 },
  });
  await refundToCard(deps, command(loanId, "5,000.00"));
  expect(await givenBack(loanId)).toEqual([[5_000, 5_000]]);
});

test("nothing is promised where no card network can be asked", async () => {
  const loanId = await credited();
  const deps = { ...through().deps, rails: { card: deskOf<CardRail>({ SANDBOX: null, LIVE: null }) } };
  await expect(refundToCard(deps, command(loanId))).rejects.toMatchObject({ code: "rail_not_configured" });
  expect(await sweep(db, cardSweepSources, silentLog)).toBe(0);
});

test("a charge that is promised more than it paid is named when the books are verified", async () => {
  const loanId = await credited();
  const charges = await within((tx) => listPaidCharges(tx, loanId));
  const { id: chargeId = "" } = charges.find(({ amount }) => amount === naira("20,000.00")) ?? {};
  let found: unknown;
  const planted = within(async (tx) => {
    const id = tx.environment.clock.newId();
    await insertCardRefund(tx, { id, loanId, chargeId, reference: fresh(), amount: naira("44,500.01") });
    found = await verifyCardRefunds(tx);
    throw new Error("rolled back");
  });
  await expect(planted).rejects.toThrow("rolled back");
  expect(found).toEqual([
    {
      check: "no charge gives back more than it paid",
      subject: chargeId,
      expected: "at most 2000000",
      found: "4450001",
    },
  ]);
  await intact();
});
