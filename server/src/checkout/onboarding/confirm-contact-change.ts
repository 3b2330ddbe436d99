/** How a change of contact data takes effect: by the right code, or by an operator. */
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import {
  type AnswerDependencies,
  type AnsweredCode,
  requireAnswered,
  takeAnswer,
  useUp,
} from "../consent/answer-code.ts";
import { replaceLiveCodes } from "../consent/consent-store.ts";
import type { ContactChange } from "../customers/contact-change.ts";
import { endChange } from "../customers/contact-change-store.ts";
import type { Customer } from "../customers/customer.ts";
import { updateContact } from "../customers/customer-store.ts";
import { requirePendingChange } from "../customers/read-contact-change.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { lockLoansOf } from "../loans/checkout-loan-store.ts";
import { cancelCheckoutLoan } from "../loans/end-checkout-loan.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";

export interface ChangeKey {
  readonly customerId: string;
  readonly changeId: string;
}

/** Takes a try of the change's code. Throws one of the otp_ problems unless the digits are right. */
export function answerChange(
  deps: AnswerDependencies,
  { environmentId, otp, ...key }: ChangeKey & { readonly environmentId: string; readonly otp: string },
): Promise<AnsweredCode> {
  return takeAnswer(deps, {
    environmentId,
    otp,
    subject: { kind: "contact_change", id: key.changeId },
    requireWaiting: async (tx) => {
      await requireCustomer(tx, key.customerId);
      return requirePendingChange(tx, key);
    },
  });
}

/** Throws what has come first: another answer, a decision, a later change. */
export async function confirmChange(
  tx: Tx,
  deps: LoanFollowing,
  { key, answered }: { readonly key: ChangeKey; readonly answered: AnsweredCode },
): Promise<Customer> {
  const customer = await requireCustomer(tx, key.customerId, { lock: true });
  const change = await requirePendingChange(tx, key);
  if (!(await useUp(tx, await requireAnswered(tx, answered)))) throw commonProblem("invalid_state");
  return takeEffect(tx, deps, { customer, change, to: "confirmed", reason: null });
}

export interface ChangeDecision {
  readonly key: ChangeKey;
  readonly to: "approved" | "rejected";
  readonly reason: string;
}

/** By an operator. */
export async function decideChange(tx: Tx, deps: LoanFollowing, decision: ChangeDecision): Promise<ContactChange> {
  const { key, to, reason } = decision;
  const customer = await requireCustomer(tx, key.customerId, { lock: true });
  const change = await requirePendingChange(tx, key);
  if (to === "rejected") await end(tx, change, { to, reason });
  else await takeEffect(tx, deps, { customer, change, to, reason });
  return { ...change, status: to };
}

interface Taking {
  readonly customer: Customer;
  readonly change: ContactChange;
  readonly to: "confirmed" | "approved";
  readonly reason: string | null;
}

/** Locks: the customer, by the caller, so that nobody consents or links a card meanwhile; then the loans. */
async function takeEffect(tx: Tx, deps: LoanFollowing, { customer, change, to, reason }: Taking): Promise<Customer> {
  await end(tx, change, { to, reason });
  await updateContact(tx, customer.id, change);
  if (change.phone !== null) {
    await replaceLiveCodes(tx, customer.id);
    // Consented to from the old phone: a card that is linked under the new one must not complete it.
    for (const loan of await lockLoansOf(tx, customer, ["pending_card"])) await cancelCheckoutLoan(tx, deps, loan);
  }
  return requireCustomer(tx, customer.id);
}

async function end(tx: Tx, { id }: ContactChange, how: Parameters<typeof endChange>[2]): Promise<void> {
  if (!(await endChange(tx, id, how))) throw commonProblem("invalid_state");
}
