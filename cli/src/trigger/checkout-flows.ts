/** Purchases on credit, step by step as an integrator with pages of its own plays them. */
import { waitUntil } from "@jara/sdk";
import { type Flow, type Playing, personOf } from "./playing.ts";

const account = { bankAccountNo: "0123456789", bankCode: "058" };

async function onboard({ jara, mark }: Playing): Promise<string> {
  return (await jara.loans.bnpl.customers.create(personOf(mark))).id;
}

async function link(playing: Playing, customerId: string, outcome: "linked" | "declined"): Promise<void> {
  const { jara } = playing;
  const { linkId } = await jara.loans.bnpl.customers.cards.link(customerId);
  await jara.sandbox.cardLinks.complete(linkId, { outcome });
}

const card = (what: string, outcome: "linked" | "declined"): Flow => ({
  what,
  play: async (playing) => {
    const customerId = await onboard(playing);
    await link(playing, customerId, outcome);
    return customerId;
  },
});

async function borrow(playing: Playing): Promise<{ readonly customerId: string; readonly id: string }> {
  const { customers, loans } = playing.jara.loans.bnpl;
  const customerId = await onboard(playing);
  const { tenors } = await customers.getEligibility(customerId);
  const { id } = await loans.create(customerId, { ...account, amount: 5_000, tenor: tenors[0]?.tenor ?? 1 });
  return { customerId, id };
}

/** The customer agrees by a code and links a card: the money follows. */
async function agree(playing: Playing, { customerId, id }: Awaited<ReturnType<typeof borrow>>): Promise<void> {
  const { consent } = playing.jara.loans.bnpl.loans;
  await consent.request(id);
  await consent.verify(id, "123456");
  await link(playing, customerId, "linked");
}

const purchase = (what: string, further?: (playing: Playing, id: string) => Promise<unknown>): Flow => ({
  what,
  play: async (playing) => {
    const loan = await borrow(playing);
    await agree(playing, loan);
    await further?.(playing, loan.id);
    return loan.id;
  },
});

async function repay({ jara, mark }: Playing, id: string): Promise<void> {
  const { loans } = jara.loans.bnpl;
  await waitUntil(
    () => loans.get(id),
    ({ status }) => status === "disbursed" || status === "active",
  );
  await loans.repayments.create(id, { amount: 100, channel: "wallet", reference: `${mark}-repayment` });
}

export const checkoutFlows: Readonly<Record<string, Flow>> = {
  "customer.card.link.successful": card("A customer who links a card.", "linked"),
  "customer.card.link.failed": card("A customer whose card is declined.", "declined"),
  "bnpl.loan.created": {
    what: "A customer who asks for credit at a checkout.",
    play: async (playing) => (await borrow(playing)).id,
  },
  "bnpl.loan.approved": purchase("Credit at a checkout, with code and card."),
  "bnpl.loan.disbursed": purchase("The same, and the money reaches your bank account."),
  "bnpl.loan.repayment.successful": purchase("The same, and a first repayment.", repay),
  "bnpl.loan.cancelled": {
    what: "Credit at a checkout that you take back before it is paid out.",
    play: async (playing) => {
      const { id } = await borrow(playing);
      await playing.jara.loans.bnpl.loans.cancel(id);
      return id;
    },
  },
};
