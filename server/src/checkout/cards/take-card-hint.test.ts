/** A processor's notice makes us ask, and what the processor answers counts. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { emptyFunding, moveFunding } from "../../../testing/lending/funding.ts";
import { silentLog } from "../../../testing/work.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import type { CardRail } from "../../rails/card.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { followTakenBack } from "./ask-about-charge.ts";
import { chargeCard } from "./charge-card.ts";
import { createCardLink } from "./create-card-link.ts";
import { pursueCardRefunds } from "./refund-order.ts";
import { refundToCard } from "./refund-to-card.ts";
import { startCardLink } from "./start-card-link.ts";
import { takeCardHint } from "./take-card-hint.ts";

const app = await createBorrowingApp();
const environmentId = app.merchant.environment.id;
const { simulatedCard } = app.rails;
await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });

const connectionId: string = randomUUID();

function connected(change: (rail: CardRail) => Partial<CardRail> = () => ({})) {
  // As with a processor that takes cards on its own page.
  const rail: CardRail = { ...simulatedCard.rail, tokenizePath: () => null, ...change(simulatedCard.rail) };
  const card = {
    find: async () => ({ connectionId, rail }),
    bound: async () => rail,
    plain: async () => null,
  };
  const announce = announceCheckoutLoan({ loanMoved });
  const publicUrl = "http://localhost:4000";
  return {
    db: app.db,
    sealer: app.dependencies.sealer,
    rails: { card },
    log: silentLog,
    announce,
    loanMoved,
    publicUrl,
  };
}

const naira = (text: string) => parseNaira(text) ?? zeroKobo;
const hint = (orderId: string, deps = connected(), connection = connectionId) =>
  takeCardHint(deps, { connectionId: connection, orderId });

/** A try that the holder was sent to the bank's page for. */
async function sentToBank() {
  const customerId = await app.customer();
  const { id: linkId } = await app.within((tx) => createCardLink(tx, connected(), { customerId, callbackUrl: null }));
  const path = await startCardLink(connected(), { environmentId, linkId });
  return { customerId, linkId, attemptId: path?.split("/").at(-1) ?? "" };
}

const typeIn = (id: string, word: string) =>
  simulatedCard.bankPage.decide({ sandbox: environmentId, collection: "links", id }, word);
const cardsOf = async (customerId: string) =>
  (await app.call("GET", `/loans/bnpl/customers/${customerId}/cards`)).json().data as unknown[];

async function lent(word = "linked"): Promise<string> {
  const { customerId, attemptId } = await sentToBank();
  await typeIn(attemptId, word);
  expect(await hint(attemptId)).toBe("asked");
  expect(await cardsOf(customerId)).toHaveLength(1);
  expect(await hint(attemptId)).toBe("agrees");
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await app.advance({ seconds: 10 });
  return loanId;
}

const charged = async (loanId: string, deps = connected()) =>
  (await chargeCard(deps, { environmentId, loanId, amount: naira("20000"), reference: randomUUID() })).charge;

// Made before any test: what some leave on the agenda is for a connection that the app itself does not have.
const loans = {
  asking: await lent("asks_holder"),
  slow: await lent("refunds_slowly"),
  elsewhere: await lent(),
  sentTwice: await lent(),
  failed: await lent(),
  lentAgain: await lent(),
  byHand: await lent(),
};

test("a notice about a link, a charge and its end each lead to the answer that the network gives", async () => {
  const loanId = loans.asking;
  const { id } = await charged(loanId);
  expect(await hint(id)).toBe("asked");
  await simulatedCard.decideCharge(environmentId, id, "confirm");
  expect(await hint(id)).toBe("asked");
  expect(await hint(id)).toBe("agrees");
  await simulatedCard.decideCharge(environmentId, id, "take_back");
  expect(await hint(id)).toBe("taken_back");
  const told = await app.heard(loanId);
  expect(told.filter((event) => event === "bnpl.loan.repayment.failed")).toHaveLength(1);
  await hint(id);
  expect(await app.heard(loanId)).toEqual(told);
});

const reversals = async (loanId: string) =>
  (await app.heard(loanId)).filter((event) => event === "bnpl.loan.repayment.failed").length;
const waiting = (id: string) =>
  app.within((tx) => tx.selectFrom("agenda").select("kind").where("subject", "=", id).execute());

test("a charge-back that the lender cannot bear waits, and is booked once when the lender is funded", async () => {
  const loanId = loans.lentAgain;
  const { id } = await charged(loanId);
  await simulatedCard.decideCharge(environmentId, id, "take_back");
  const funds = await app.within(emptyFunding);
  expect([await hint(id), await reversals(loanId)]).toEqual(["lender_short", 0]);
  await followTakenBack(connected(), { environmentId, id });
  expect([await waiting(id), await reversals(loanId)]).toEqual([[{ kind: "checkout.take-charge-back" }], 0]);
  await app.within((tx) => moveFunding(tx, funds));
  await followTakenBack(connected(), { environmentId, id });
  await followTakenBack(connected(), { environmentId, id });
  expect(await reversals(loanId)).toBe(1);
});

test("a charge-back that waits for the lender can be finished by an operator", async () => {
  const loanId = loans.byHand;
  const { id } = await charged(loanId);
  await simulatedCard.decideCharge(environmentId, id, "take_back");
  const funds = await app.within(emptyFunding);
  expect(await hint(id)).toBe("lender_short");
  await app.within((tx) => moveFunding(tx, funds));
  const repayments = (await app.call("GET", `/loans/bnpl/loans/${loanId}/repayments`)).json().data as { id: string }[];
  const path = `/operator/checkout-loans/${loanId}/repayments/${repayments[0]?.id}/reverse`;
  const reply = await app.operate("POST", path, { reason: "The network took the charge back" });
  expect(reply.statusCode, reply.body).toBe(200);
  await followTakenBack(connected(), { environmentId, id });
  expect(await reversals(loanId)).toBe(1);
});

test("a notice about a refund names the charge, and the refund is asked about", async () => {
  const loanId = loans.slow;
  const { id } = await charged(loanId);
  const body = { amount: 60_000, reason: "Returned", reference: `back-${loanId}` };
  await app.call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body });
  const command = { environmentId, loanId, amount: naira("5000"), reference: randomUUID() };
  const { refund } = await refundToCard(connected(), command);
  expect(refund.status).toBe("processing");
  await simulatedCard.decideRefund(environmentId, refund.id, "complete");
  expect(await hint(id)).toBe("asked");
  expect((await refundToCard(connected(), command)).refund.status).toBe("successful");
});

test("a card that is typed in when its try was over is let go", async () => {
  const { customerId, linkId, attemptId } = await sentToBank();
  await app.within((tx) =>
    tx
      .updateTable("card_links")
      .set({ status: "pending", sealed_redirect_url: null })
      .where("id", "=", linkId)
      .execute(),
  );
  await typeIn(attemptId, "linked");
  expect(await hint(attemptId)).toBe("asked");
  expect(await cardsOf(customerId)).toEqual([]);
  const kept = await app.within((tx) =>
    tx.selectFrom("customer_cards").select("removed_at").where("customer_id", "=", customerId).execute(),
  );
  expect(kept).toEqual([{ removed_at: expect.any(Date) }]);
});

test.each([
  ["what is not an id", () => hint("not-an-id")],
  ["an unknown id", () => hint(randomUUID())],
  ["a charge of another connection", async () => hint((await charged(loans.elsewhere)).id, connected(), randomUUID())],
])("%s is not ours", async (_, asked) => {
  expect(await asked()).toBe("not_ours");
});

test("of workers that would send a refund again at the same moment one does", async () => {
  const loanId = loans.sentTwice;
  await charged(loanId);
  const body = { amount: 60_000, reason: "Returned", reference: `back-${loanId}` };
  await app.call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body });
  let sent = 0;
  // The first order never arrived, and this network would make a second refund of every order.
  const forgetful = connected(() => ({
    refund: async () => {
      sent += 1;
      return { outcome: "unknown" };
    },
    queryRefund: async () => ({ outcome: "no_record" }),
  }));
  const command = { environmentId, loanId, amount: naira("5000"), reference: randomUUID() };
  const { refund } = await refundToCard(forgetful, command);
  expect(sent).toBe(1);
  const again = () =>
    Promise.all(Array.from({ length: 5 }, () => pursueCardRefunds(forgetful).takeUp({ environmentId, id: refund.id })));
  await again();
  // The first order has its time before anybody sends it again.
  expect(sent).toBe(1);
  await app.within((tx) => {
    const past = new Date(tx.environment.clock.now().getTime() - 60_000);
    return tx.updateTable("card_refunds").set({ sent_at: past }).where("id", "=", refund.id).execute();
  });
  await again();
  expect(sent).toBe(2);
});

test("a charge that we hold for failed and that has paid disagrees", async () => {
  const loanId = loans.failed;
  const refusing = connected((rail) => ({
    charge: async (order) => {
      await rail.charge(order);
      return { outcome: "declined", code: "05", message: "Declined." };
    },
  }));
  expect(await hint((await charged(loanId, refusing)).id)).toBe("disagrees");
});
