/** Whatever is open for new links by then, a card's charges, refunds and its end go where the card is. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createBorrowingApp } from "../../../testing/checkout/borrowers.ts";
import { silentLog } from "../../../testing/work.ts";
import { parseNaira, zeroKobo } from "../../money/kobo.ts";
import type { CardRail } from "../../rails/card.ts";
import type { CardRails, Desk } from "../../rails/desk.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { cardTasks } from "./cards.job.ts";
import { unlinkTask } from "./charge.ts";
import { chargeCard } from "./charge-card.ts";
import { completeCardLink } from "./complete-card-link.ts";
import { createCardLink } from "./create-card-link.ts";
import { refundToCard } from "./refund-to-card.ts";
import { removeCard } from "./routes.ts";

const app = await createBorrowingApp();
const environmentId = app.merchant.environment.id;
const { sealer } = app.dependencies;
await app.call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });

const first: string = randomUUID();
const second: string = randomUUID();

/** Two accounts at one network. Each call is noted with the account that it went through. */
function twoConnections() {
  const calls: string[] = [];
  let open = first;
  const simulated = app.rails.simulatedCard.rail;
  const railOf = (connectionId: string | null): CardRail => {
    const note = <Order, Answer>(word: string, call: (order: Order) => Promise<Answer>) => {
      return (order: Order) => {
        calls.push(`${word} ${connectionId === first ? "first" : connectionId === second ? "second" : "nobody"}`);
        return call(order);
      };
    };
    return {
      ...simulated,
      link: note("link", simulated.link),
      charge: note("charge", simulated.charge),
      query: note("query", simulated.query),
      refund: note("refund", simulated.refund),
      unlink: note("unlink", simulated.unlink),
    };
  };
  const card: Desk<CardRail> = {
    find: async () => ({ connectionId: open, rail: railOf(open) }),
    bound: async (_, connectionId) => railOf(connectionId),
    plain: async () => null,
  };
  const rails: CardRails = { card };
  const announce = announceCheckoutLoan({ loanMoved });
  const deps = { db: app.db, sealer, rails, log: silentLog, announce, loanMoved, publicUrl: "http://localhost:4000" };
  return {
    deps,
    calls,
    turnTo: (connectionId: string) => {
      open = connectionId;
    },
  };
}

const naira = (text: string) => parseNaira(text) ?? zeroKobo;

test("a link, its card, its charges, their refunds and its end stay with one connection", async () => {
  const { deps, calls, turnTo } = twoConnections();
  const customerId = await app.customer();
  const link = await app.within((tx) => createCardLink(tx, deps, { customerId, callbackUrl: null }));
  turnTo(second);
  const cardToken = await app.rails.simulatedCard.makeToken(environmentId, "linked");
  const { cardId } = await completeCardLink(deps, { environmentId, linkId: link.id, cardToken });
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await app.advance({ seconds: 10 });
  const paid = await chargeCard(deps, { environmentId, loanId, amount: naira("20000"), reference: "paid-1" });
  expect(paid.charge).toMatchObject({ status: "successful", connectionId: first });
  const returned = { amount: 60_000, reason: "Returned", reference: "back-1" };
  expect((await app.call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body: returned })).statusCode).toBe(201);
  const back = await refundToCard(deps, { environmentId, loanId, amount: naira("5000"), reference: "credit-1" });
  expect(back.refund.status).toBe("successful");
  await app.within((tx) => removeCard(tx, { customerId, cardId: cardId ?? "" }));
  const unlink = new Map(cardTasks(deps)).get(unlinkTask);
  await unlink?.handle({ environmentId, subject: cardId ?? "", payload: {} });
  expect(calls).toEqual(["link first", "charge first", "refund first", "unlink first"]);
});

test("a card linked after the change is charged through the new connection", async () => {
  const { deps, calls, turnTo } = twoConnections();
  turnTo(second);
  const customerId = await app.customer();
  const link = await app.within((tx) => createCardLink(tx, deps, { customerId, callbackUrl: null }));
  turnTo(first);
  const cardToken = await app.rails.simulatedCard.makeToken(environmentId, "linked");
  await completeCardLink(deps, { environmentId, linkId: link.id, cardToken });
  const loanId = await app.loan(customerId);
  await app.consent(loanId);
  await app.advance({ seconds: 10 });
  await chargeCard(deps, { environmentId, loanId, amount: naira("20000"), reference: "paid-2" });
  expect(calls).toEqual(["link second", "charge second"]);
});
