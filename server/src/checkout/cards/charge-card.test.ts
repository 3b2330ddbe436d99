import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { type CardFaults, withCardFaults } from "../../../testing/checkout/card-faults.ts";
import { silentLog } from "../../../testing/work.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import type { CardChargeOrder } from "../../rails/card.ts";
import { deskOf } from "../../rails/desk.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { cardSweepSources, collect } from "./cards.job.ts";
import { chargeCard } from "./charge-card.ts";
import { type ChargeDependencies, pursueCharges } from "./charge-order.ts";

const app = await createBorrowingApp();
const { advance, db } = app;
await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });
const environmentId = app.merchant.environment.id;
const announce = announceCheckoutLoan({ loanMoved });

function through(faults: CardFaults) {
  const faulty = withCardFaults(app.rails.simulatedCard.rail, faults);
  const rails = { card: deskOf({ SANDBOX: faulty.rail, LIVE: null }) };
  const deps: ChargeDependencies = { db, sealer: app.dependencies.sealer, rails, log: silentLog, announce };
  return { faulty, deps };
}

let made = 0;
const naira = (text: string) => parseNaira(text) ?? zeroKobo;
const command = (loanId: string, amount = "10000", reference?: string) => {
  made += 1;
  return { environmentId, loanId, amount: naira(amount), reference: reference ?? `card-${made}` };
};

const booked = async (loanId: string): Promise<number[]> => {
  const found = await booksOf(app.pool, environmentId).query<{ amount: bigint }>(
    `select amount from simulated_card.charges where sandbox = $1 and status = 'paid' and narration like $2`,
    [environmentId, `%${loanId}%`],
  );
  return found.rows.map(({ amount }) => Number(amount) / 100);
};
const repaid = (loanId: string) =>
  app.within(async (tx) => {
    const find = tx
      .selectFrom("loan_repayments as r")
      .innerJoin("checkout_loans as l", "l.reference", "r.account_id")
      .select(["r.amount", "r.reference"])
      .where("l.id", "=", loanId);
    return (await find.execute()).map((row) => [Number(row.amount) / 100, row.reference]);
  });

test("a charge pays the loan, and the same reference again is the same charge", async () => {
  const { loanId } = await app.lend();
  const { deps } = through({});
  const first = await chargeCard(deps, command(loanId, "10000", "order-7"));
  expect(first).toMatchObject({ replayed: false, charge: { status: "successful", failure: null } });
  const again = await chargeCard(deps, command(loanId, "10000", "order-7"));
  expect(again).toMatchObject({ replayed: true, charge: { id: first.charge.id, status: "successful" } });
  expect(await booked(loanId)).toEqual([10_000]);
  expect(await repaid(loanId)).toEqual([[10_000, "order-7"]]);
});

test("the same reference for another amount or loan is refused with the fields that differ", async () => {
  const [one, other] = [await app.lend(), await app.lend()];
  const { deps } = through({});
  await chargeCard(deps, command(one.loanId, "10000", "order-8"));
  await expect(chargeCard(deps, command(one.loanId, "9000", "order-8"))).rejects.toMatchObject({
    code: "reference_conflict",
    data: { fields: ["amount"] },
  });
  await expect(chargeCard(deps, command(other.loanId, "10000", "order-8"))).rejects.toMatchObject({
    code: "reference_conflict",
    data: { fields: ["loan_id"] },
  });
});

test("a declined charge is told with the network's reason and pays nothing", async () => {
  const { loanId } = await app.lend("declines_later");
  const { charge } = await chargeCard(through({}).deps, command(loanId));
  expect(charge).toMatchObject({ status: "failed", failure: { code: "51" }, repaymentId: null });
  expect(await repaid(loanId)).toEqual([]);
  expect((await app.heard(loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
});

test("an answer that was lost is asked for again, and the money is taken once", async () => {
  const { loanId } = await app.lend();
  const { deps, faulty } = through({ errorsAfterCharge: 1 });
  const { charge } = await chargeCard(deps, command(loanId));
  expect(charge.status).toBe("processing");
  await advance({ seconds: 5 });
  expect(await repaid(loanId)).toHaveLength(1);
  expect(await booked(loanId)).toEqual([10_000]);
  expect(faulty.charges).toHaveLength(1);
});

test("while a charge is under way neither another one nor a collection begins", async () => {
  const { loanId } = await app.lend("linked", { tenor: 1 });
  await advance({ days: 29 });
  const { deps, faulty } = through({ errorsAfterCharge: 1, lateAnswers: 1_000 });
  const held = await chargeCard(deps, command(loanId));
  await expect(chargeCard(deps, command(loanId))).rejects.toMatchObject({ code: "charge_in_progress" });
  await app.within(async (tx) => {
    const past = new Date(tx.environment.clock.now().getTime() - 1);
    await tx.updateTable("card_collections").set({ next_at: past }).where("loan_id", "=", loanId).execute();
  });
  await collect(deps, environmentId, loanId);
  expect(faulty.charges).toHaveLength(1);
  const { next_at: nextAt } = await app.within((tx) =>
    tx.selectFrom("card_collections").select("next_at").where("loan_id", "=", loanId).executeTakeFirstOrThrow(),
  );
  expect(nextAt).not.toBeNull();
  await pursueCharges(through({}).deps).takeUp({ environmentId, id: held.charge.id });
  expect(await repaid(loanId)).toHaveLength(1);
});

test("no other channel takes the reference of a charge, unless the charge has failed", async () => {
  const pay = async (loanId: string, reference: string) => {
    const body = { amount: 10_000, reference, channel: "cash" };
    const reply = await app.call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body });
    return [reply.statusCode, reply.json().data.fields ?? reply.json().data.channel];
  };
  const { loanId } = await app.lend();
  await chargeCard(through({ errorsAfterCharge: 1 }).deps, command(loanId, "10000", "order-9"));
  expect(await pay(loanId, "order-9")).toEqual([409, ["channel"]]);
  await advance({ seconds: 5 });
  expect(await pay(loanId, "order-9")).toEqual([409, ["channel"]]);
  expect(await repaid(loanId)).toEqual([[10_000, "order-9"]]);
  const other = await app.lend("declines_later");
  await chargeCard(through({}).deps, command(other.loanId, "10000", "order-10"));
  expect(await pay(other.loanId, "order-10")).toEqual([201, "cash"]);
});

test("of charges that arrive together one is made", async () => {
  const { loanId } = await app.lend();
  const { deps, faulty } = through({ errorsAfterCharge: 5, lateAnswers: 5 });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => chargeCard(deps, command(loanId))));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(faulty.charges).toHaveLength(1);
});

test("a charge that was committed and not sent is sent by the sweeper's task, after the settle window", async () => {
  const { loanId } = await app.lend();
  await expect(chargeCard(through({ crashBeforeCharge: 1 }).deps, command(loanId))).rejects.toThrow("died");
  expect(await booked(loanId)).toEqual([]);
  expect(await sweep(db, cardSweepSources, silentLog)).toBe(1);
  await advance({ seconds: 60 });
  expect(await booked(loanId)).toEqual([10_000]);
  expect(await repaid(loanId)).toHaveLength(1);
});

test("an operator sees a charge whose outcome is owed", async () => {
  const { loanId } = await app.lend();
  const { charge } = await chargeCard(through({ errorsAfterCharge: 1 }).deps, command(loanId));
  const listed = (await app.operate("GET", "/operator/unknowns?olderThan=0&limit=1000")).json().data;
  expect(listed).toContainEqual(
    expect.objectContaining({ type: "card_charge", id: charge.id, amount: 10_000, loanId, environmentId }),
  );
  await advance({ seconds: 5 });
  const later = (await app.operate("GET", "/operator/unknowns?olderThan=0&limit=1000")).json().data;
  expect(later.map(({ id }: { id: string }) => id)).not.toContain(charge.id);
});

test("two workers with the same answer record one repayment", async () => {
  const { loanId } = await app.lend();
  const { charge } = await chargeCard(through({ errorsAfterCharge: 1 }).deps, command(loanId));
  const { deps } = through({});
  const key = { environmentId, id: charge.id };
  const { takeUp } = pursueCharges(deps);
  await Promise.all([takeUp(key), takeUp(key), takeUp(key)]);
  expect(await repaid(loanId)).toHaveLength(1);
});

test("a card is not asked for more than is owed, nor for a loan that is not out", async () => {
  const { customerId, loanId } = await app.lend();
  const { deps } = through({});
  await expect(chargeCard(deps, command(loanId, "64500.01"))).rejects.toMatchObject({
    code: "amount_out_of_band",
    data: { max_amount: 64_500 },
  });
  const pending = await app.loan(customerId, { amount: "10000" });
  await expect(chargeCard(deps, command(pending, "100"))).rejects.toMatchObject({ code: "invalid_state" });
});

test("a customer without a card is told so", async () => {
  const { customerId, loanId } = await app.lend();
  await app.within((tx) =>
    tx.updateTable("customers").set({ default_card_id: null }).where("id", "=", customerId).execute(),
  );
  await expect(chargeCard(through({}).deps, command(loanId))).rejects.toMatchObject({ code: "card_not_linked" });
});

test("a card that was removed before the order left is not charged", async () => {
  const { customerId, loanId } = await app.lend();
  await expect(chargeCard(through({ crashBeforeCharge: 1 }).deps, command(loanId))).rejects.toThrow("died");
  const cards = (await app.call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data;
  await app.link(customerId, "linked");
  await app.call("DELETE", `/loans/bnpl/customers/${customerId}/cards/${cards[0].id}`);
  await sweep(db, cardSweepSources, silentLog);
  await advance({ seconds: 60 });
  expect(await booked(loanId)).toEqual([]);
  expect((await app.heard(loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
});

test("money for a loan whose disbursement has just come back waits until the loan can take it", async () => {
  const { loanId } = await app.lend();
  const move = (status: string) =>
    app.within(async (tx) => {
      const { accountId } = await requireCheckoutLoan(tx, loanId);
      await tx.updateTable("loan_accounts").set({ status }).where("id", "=", accountId).execute();
    });
  const { deps } = through({});
  const rail = app.rails.simulatedCard.rail;
  const charge = async (order: CardChargeOrder) => {
    const answer = await rail.charge(order);
    await move("approved");
    return answer;
  };
  const meanwhile = { ...deps, rails: { card: deskOf({ SANDBOX: { ...rail, charge }, LIVE: null }) } };
  expect((await chargeCard(meanwhile, command(loanId))).charge.status).toBe("processing");
  expect(await repaid(loanId)).toEqual([]);
  await move("active");
  await advance({ seconds: 60 });
  expect(await repaid(loanId)).toHaveLength(1);
  expect(await booked(loanId)).toEqual([10_000]);
});

test("another merchant's loan is not found", async () => {
  const { loanId } = await app.lend();
  const stranger = { ...command(loanId), environmentId: app.otherMerchant.environment.id };
  await expect(chargeCard(through({}).deps, stranger)).rejects.toMatchObject({ code: "checkout_loan_not_found" });
});
