/** Purchases on credit: every event that one can end in. */
import type { CheckoutSession } from "@jara/sdk";
import {
  borrow,
  borrowTooMuch,
  buy,
  type CardOutcome,
  letPurchaseFallOverdue,
  linkCard,
  onboard,
  openSession,
  overpay,
  refundPart,
  repayAll,
  walkSession,
} from "../flows/checkout-steps.ts";
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
    "The same, and nobody pays within the grace period. Moves the clock a month.",
    letPurchaseFallOverdue,
    "declines_later",
  ),
  "bnpl.loan.completed": purchase("Credit at a checkout that is repaid in full.", repayAll),
  "bnpl.loan.refunded": purchase("Credit at a checkout, and one item comes back.", refundPart),
  "bnpl.loan.credit.refunded": purchase("A customer who pays too much gets it back.", overpay),
  "bnpl.loan.rejected": {
    what: "A customer who borrows up to the limit elsewhere before agreeing.",
    play: (playing) => borrowTooMuch(playing, someoneNew(playing)),
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
