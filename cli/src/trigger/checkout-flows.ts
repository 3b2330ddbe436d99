/** Purchases on credit: every event that one can end in. */
import type { CheckoutSession } from "@jara/sdk";
import {
  borrow,
  buy,
  type CardOutcome,
  consent,
  letPurchaseFallOverdue,
  linkCard,
  onboard,
  openSession,
  repayAll,
  walkSession,
} from "../flows/checkout-steps.ts";
import { askForLoan } from "../flows/loan-steps.ts";
import type { Playing } from "../flows/playing.ts";
import { type Flow, someoneNew } from "./flow.ts";

const asked = async (playing: Playing) => borrow(playing, await onboard(playing, someoneNew(playing)));

const card = (what: string, outcome: CardOutcome): Flow => ({
  what,
  play: async (playing) => {
    const customerId = await onboard(playing, someoneNew(playing));
    await linkCard(playing, customerId, outcome);
    return customerId;
  },
});

/** A purchase that is paid out, and what comes after. */
const purchase = (
  what: string,
  further?: (playing: Playing, id: string) => Promise<unknown>,
  outcome: CardOutcome = "linked",
): Flow => ({
  what,
  play: async (playing) => {
    const loan = await asked(playing);
    await buy(playing, loan, outcome);
    await further?.(playing, loan.id);
    return loan.id;
  },
});

const session = (what: string, further: (playing: Playing, opened: CheckoutSession) => Promise<void>): Flow => ({
  what,
  play: async (playing) => {
    const opened = await openSession(playing, await onboard(playing, someoneNew(playing)), `${playing.mark}-order`);
    await further(playing, opened);
    return opened.id;
  },
});

async function repayPart({ jara, mark }: Playing, id: string): Promise<void> {
  const repayment = { amount: 100, channel: "wallet", reference: `${mark}-repayment` } as const;
  await jara.loans.bnpl.loans.repayments.create(id, repayment);
}

async function refundPart({ jara, mark }: Playing, id: string): Promise<void> {
  const refund = { amount: 1_000, reason: "One item came back", reference: `${mark}-refund` };
  await jara.loans.bnpl.loans.refund(id, refund);
}

async function overpay(playing: Playing, id: string): Promise<void> {
  const { jara, mark } = playing;
  await repayAll(playing, id, 100);
  const credit = { amount: 100, channel: "bank_transfer", reference: `${mark}-credit` } as const;
  await jara.loans.bnpl.loans.refundCredit(id, credit);
}

/** Between the question and the consent, the same person borrows elsewhere up to the limit. */
async function borrowTooMuch(playing: Playing): Promise<string> {
  const person = someoneNew(playing);
  const loan = await borrow(playing, await onboard(playing, person));
  const other = await askForLoan(playing, person, { amount: 200_000, tenure: 3, tenureType: "monthly" });
  await playing.jara.sandbox.loans.approve(other);
  await consent(playing, loan);
  await linkCard(playing, loan.customerId, "linked");
  return loan.id;
}

export const checkoutFlows: Readonly<Record<string, Flow>> = {
  "customer.card.link.successful": card("A customer who links a card.", "linked"),
  "customer.card.link.failed": card("A customer whose card is declined.", "declined"),
  "bnpl.loan.created": {
    what: "A customer who asks for credit at a checkout.",
    play: async (playing) => (await asked(playing)).id,
  },
  "bnpl.loan.approved": purchase("Credit at a checkout, with code and card."),
  "bnpl.loan.disbursed": purchase("The same, and the money reaches your bank account."),
  "bnpl.loan.repayment.successful": purchase("The same, and a first repayment.", repayPart),
  "bnpl.loan.repayment.failed": purchase(
    "The same, and the card declines the first instalment. Moves the clock a month.",
    letPurchaseFallOverdue,
    "declines_later",
  ),
  "bnpl.loan.overdue": purchase(
    "The same, and nobody pays within the days of grace. Moves the clock a month.",
    letPurchaseFallOverdue,
    "declines_later",
  ),
  "bnpl.loan.completed": purchase("Credit at a checkout that is repaid as a whole.", repayAll),
  "bnpl.loan.refunded": purchase("Credit at a checkout, and one item comes back.", refundPart),
  "bnpl.loan.credit.refunded": purchase("A customer who pays too much gets it back.", overpay),
  "bnpl.loan.rejected": {
    what: "A customer who borrows up to the limit elsewhere before agreeing.",
    play: borrowTooMuch,
  },
  "bnpl.loan.expired": {
    what: "A customer who never agrees. Moves the clock a day.",
    play: async (playing) => {
      const { id } = await asked(playing);
      await playing.pass({ days: 1 });
      return id;
    },
  },
  "bnpl.loan.cancelled": {
    what: "Credit at a checkout that you take back before it is paid out.",
    play: async (playing) => {
      const { id } = await asked(playing);
      await playing.jara.loans.bnpl.loans.cancel(id);
      return id;
    },
  },
  "checkout.session.completed": session("A customer who walks through Jara's pages: plan, code, card.", walkSession),
  "checkout.session.expired": session(
    "A customer who never comes to Jara's pages. Moves the clock to the session's end.",
    ({ pass }, { expiresAt }) => pass({ to: expiresAt }),
  ),
};
