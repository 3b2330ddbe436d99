/** What the checkout tells in a trace: the purchase and its session, consent by a code, and what cards were asked for. */
import { nairaNumber } from "../money/kobo.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import {
  findPartsOf,
  readCardOrdersOf,
  readCodesOf,
  readLinksOf,
  readPurchasesOf,
  readSessionsOf,
  type TracedCardOrder,
  type TracedCode,
  type TracedLink,
  type TracedPurchase,
  type TracedSession,
  tracedCheckout,
} from "./trace-store.ts";

export const checkoutTrace: TraceSource = {
  records: tracedCheckout,
  async tell(tx, { ids }) {
    const steps = [
      ...(await readSessionsOf(tx, ids)).flatMap(sessionSteps),
      ...(await readPurchasesOf(tx, ids)).flatMap(purchaseSteps),
      ...(await readCodesOf(tx, ids)).flatMap(codeSteps),
      ...(await readLinksOf(tx, ids)).flatMap(linkSteps),
      ...(await readCardOrdersOf(tx, ids)).flatMap(cardSteps),
    ];
    return { steps, also: await findPartsOf(tx, ids) };
  },
};

function sessionSteps({ id, orderReference, status, createdAt, updatedAt }: TracedSession): TraceStep[] {
  const ids = { checkout_session: id };
  const opened = { detail: { status: "open", orderReference }, ids, ok: true, turn: 0.5 };
  const steps: TraceStep[] = [{ at: createdAt, kind: "state", title: "Checkout session opened", ...opened }];
  if (status === "open") return steps;
  const ended = { title: `Checkout session ${status}`, detail: { status }, ids, ok: status === "completed" };
  return [...steps, { at: updatedAt, kind: "state", ...ended, turn: 4 }];
}

/** The states in which a loan ends before its account is decided: lending tells the others. */
const endedUndecided = ["expired", "cancelled", "rejected"];

function purchaseSteps({ id, amount, tenor, status, createdAt, updatedAt }: TracedPurchase): TraceStep[] {
  const ids = { checkout_loan: id };
  const detail = { status: "pending_consent", amount: nairaNumber(amount), tenor };
  const asked: TraceStep = { at: createdAt, kind: "state", title: "Loan asked for", detail, ids, ok: true, turn: 0.6 };
  if (!endedUndecided.includes(status)) return [asked];
  return [asked, { at: updatedAt, kind: "state", title: `The loan is ${status}`, detail: { status }, ids, ok: false }];
}

function codeSteps({ loanId, messageStatus, destination, sentAt, consentedAt }: TracedCode): TraceStep[] {
  const ids = { checkout_loan: loanId };
  const detail = { asked: { destination }, answered: messageStatus };
  const ok = messageStatus === "waiting" || messageStatus === "sent";
  const sent: TraceStep = { at: sentAt, kind: "rail", title: "Code sent to the customer", detail, ids, ok, turn: 0.7 };
  if (consentedAt === null) return [sent];
  const consented = {
    kind: "check",
    title: "The customer consented with the code",
    detail: { destination },
    ids,
  } as const;
  return [sent, { at: consentedAt, ...consented, ok: true, turn: 0.8 }];
}

function linkSteps({ id, status, code, message, createdAt, updatedAt }: TracedLink): TraceStep[] {
  const ids = { card_link: id };
  const opened = { title: "Card link opened", detail: { status: "pending" }, ids, ok: true };
  const steps: TraceStep[] = [{ at: createdAt, kind: "state", ...opened, turn: 0.5 }];
  if (status === "pending") return steps;
  const failure = code === null ? {} : { failure: { code, message } };
  const ended = { title: `Card link ${status}`, detail: { status, ...failure }, ids, ok: code === null };
  return [...steps, { at: updatedAt, kind: "state", ...ended, turn: 0.9 }];
}

const nouns = { charge: "charge the card", card_refund: "give money back to the card" } as const;

function cardSteps({ id, what, amount, card, status, createdAt, completedAt, ...rest }: TracedCardOrder): TraceStep[] {
  const { code, message, queries } = rest;
  const ids = { [what]: id };
  const asked = { amount: nairaNumber(amount), card };
  const steps: TraceStep[] = [
    { at: createdAt, kind: "rail", title: `Asked to ${nouns[what]}`, detail: { asked }, ids, ok: true, turn: 0.2 },
  ];
  if (queries > 0) {
    const again = {
      title: "Asked the card network again, because it had not told the outcome",
      detail: { queries },
      ids,
    };
    steps.push({ at: completedAt ?? createdAt, kind: "rail", ...again, ok: completedAt !== null, turn: 0.3 });
  }
  if (completedAt === null) return steps;
  const failed = status === "failed";
  const answered = failed ? { outcome: "refused", code, message } : { outcome: "done" };
  const title = failed ? `Refused: ${nouns[what]}` : `Done: ${nouns[what]}`;
  return [...steps, { at: completedAt, kind: "rail", title, detail: { answered }, ids, ok: !failed, turn: 0.4 }];
}
