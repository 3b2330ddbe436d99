/** Purchases on credit, step by step: as an integrator with pages of its own plays them, and on Jara's pages. */
import {
  type CheckoutLoan,
  type CheckoutSession,
  type CompleteCardLinkBody,
  hostedCheckout,
  waitUntil,
} from "@jara/sdk";
import { approve, askForLoan, passGrace } from "./loan-steps.ts";
import type { Person } from "./people.ts";
import type { Playing } from "./playing.ts";

const account = { bankAccountNo: "0123456789", bankCode: "058" };
/** The code that a sandbox always takes. */
const otp = "123456";

export type CardOutcome = CompleteCardLinkBody["outcome"];

export interface Purchase {
  readonly customerId: string;
  readonly id: string;
}

export async function onboard({ jara }: Playing, person: Person): Promise<string> {
  const { firstName, lastName, email, phone, bvn } = person;
  return (await jara.loans.bnpl.customers.create({ firstName, lastName, email, phone, bvn })).id;
}

export async function linkCard({ jara }: Playing, customerId: string, outcome: CardOutcome): Promise<void> {
  const { linkId } = await jara.loans.bnpl.customers.cards.link(customerId);
  await jara.sandbox.cardLinks.complete(linkId, { outcome });
}

/** Asks for credit for as short as the customer may have it. */
export async function borrow({ jara }: Playing, customerId: string, amount = 5_000): Promise<Purchase> {
  const { customers, loans } = jara.loans.bnpl;
  const { tenors } = await customers.getEligibility(customerId);
  const { id } = await loans.create(customerId, { ...account, amount, tenor: tenors[0]?.tenor ?? 1 });
  return { customerId, id };
}

/** The customer agrees by a code. */
async function consent({ jara }: Playing, { id }: Pick<Purchase, "id">): Promise<void> {
  const { consent: agreement } = jara.loans.bnpl.loans;
  await agreement.request(id);
  await agreement.verify(id, otp);
}

/** The customer agrees and links a card: the money follows. */
export async function buy(playing: Playing, purchase: Purchase, card: CardOutcome = "linked"): Promise<CheckoutLoan> {
  await consent(playing, purchase);
  await linkCard(playing, purchase.customerId, card);
  await playing.settle();
  return waitUntil(
    () => playing.jara.loans.bnpl.loans.get(purchase.id),
    ({ status }) => status === "active",
    { signal: playing.stopped, pollMs: 500 },
  );
}

/** Everything that is owed, and `more`. */
export async function repayAll({ jara, mark }: Playing, id: string, more = 0): Promise<void> {
  const { loans } = jara.loans.bnpl;
  const { balance } = await loans.get(id);
  const amount = (balance * 100 + more * 100) / 100;
  await loans.repayments.create(id, { amount, channel: "bank_transfer", reference: `${mark}-${id}-all` });
}

/** One item comes back. */
export async function refundPart({ jara, mark }: Playing, id: string): Promise<void> {
  const refund = { amount: 1_000, reason: "One item came back", reference: `${mark}-${id}-refund` };
  await jara.loans.bnpl.loans.refund(id, refund);
}

/** The customer pays too much, and gets it back. */
export async function overpay(playing: Playing, id: string): Promise<void> {
  const { jara, mark } = playing;
  await repayAll(playing, id, 100);
  const credit = { amount: 100, channel: "bank_transfer", reference: `${mark}-${id}-credit` } as const;
  await jara.loans.bnpl.loans.refundCredit(id, credit);
}

/** Between the question and the consent, the same person borrows elsewhere up to the limit: it is rejected. */
export async function borrowTooMuch(playing: Playing, person: Person): Promise<string> {
  const loan = await borrow(playing, await onboard(playing, person));
  const other = await askForLoan(playing, person, { amount: 200_000, tenure: 3, tenureType: "monthly" });
  await approve(playing, other);
  await consent(playing, loan);
  await linkCard(playing, loan.customerId, "linked");
  return loan.id;
}

export async function letPurchaseFallOverdue(playing: Playing, id: string): Promise<void> {
  await passGrace(playing, () => playing.jara.loans.bnpl.loans.get(id));
}

export function openSession({ jara }: Playing, customerId: string, orderReference: string): Promise<CheckoutSession> {
  return jara.loans.bnpl.sessions.create({
    ...account,
    customerId,
    amount: 18_500,
    items: [{ name: "Standing fan", quantity: 1, amount: 18_500 }],
    orderReference,
    successUrl: "http://localhost:3000/thanks",
    cancelUrl: "http://localhost:3000/cart",
  });
}

/** What a customer does on Jara's pages: plan, code, card. The pages are asked where the API is asked. */
export async function walkSession(
  { jara, baseUrl, settle, stopped }: Playing,
  session: CheckoutSession,
): Promise<void> {
  const { pathname, hash } = new URL(session.url ?? "");
  const page = hostedCheckout(`${baseUrl}${pathname}${hash}`);
  const { offers } = await page.read();
  const { agreement } = await page.chooseTerms(offers[0]?.tenor ?? 0);
  await page.requestConsent(agreement?.termsHash ?? "");
  const { step } = await page.verifyConsent(otp);
  if (step === "card") {
    const { url } = await page.linkCard();
    const linkId = new URL(url).pathname.split("/").at(-1) ?? "";
    await jara.sandbox.cardLinks.complete(linkId, { outcome: "linked" });
  }
  await settle();
  await jara.loans.bnpl.sessions.waitUntilFinal(session.id, { signal: stopped, pollMs: 500 });
}
