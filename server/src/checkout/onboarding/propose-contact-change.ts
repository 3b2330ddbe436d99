import { findMerchantName } from "../../merchants/read-merchants.ts";
import type { Tx } from "../../platform/database/database.ts";
import { Problem } from "../../platform/problem.ts";
import { type ConsentRequest, consentRequestOf } from "../consent/consent.ts";
import { type CodeDependencies, issueCode } from "../consent/issue-code.ts";
import {
  type ContactChange,
  type ContactData,
  changeLifeMs,
  contactDifferences,
  fieldsOf,
} from "../customers/contact-change.ts";
import { insertChange, readPendingChanges, replacePendingChange } from "../customers/contact-change-store.ts";
import { type Customer, isOwner } from "../customers/customer.ts";
import { type Onboarding, proofOf } from "../customers/onboard-customer.ts";
import { requirePendingChange } from "../customers/read-contact-change.ts";
import { requireCustomer } from "../customers/read-customer.ts";

/**
 * Writes down what somebody says otherwise than it is known and has a code sent to the phone on record. The customer's
 * row is locked by the caller. The same again is the same change; something else takes its place. Where nothing shows
 * that the phone on record is the owner's and the register has the one that was said now, the code goes there: a thief
 * who was first with a BVN does not keep its owner out.
 */
export async function proposeContactChange(
  tx: Tx,
  deps: CodeDependencies,
  { customer, person, answer }: { readonly customer: Customer } & Onboarding,
): Promise<void> {
  const wanted = contactDifferences(customer, person);
  if (fieldsOf(wanted).length === 0) return;
  const pending = (await readPendingChanges(tx, [customer.id])).get(customer.id);
  if (pending !== undefined && isSame(pending, wanted)) return;
  await replacePendingChange(tx, customer.id);
  const { clock } = tx.environment;
  const createdAt = clock.now();
  const change: ContactChange = {
    ...wanted,
    id: clock.newId(),
    customerId: customer.id,
    status: "pending",
    createdAt,
    expiresAt: new Date(createdAt.getTime() + changeLifeMs),
  };
  await insertChange(tx, change);
  const isOwnersPhone = !isOwner(customer, tx.environment.kind) && proofOf(answer) === "phone";
  await sendIfPossible(() =>
    sendCode(tx, deps, isOwnersPhone ? { ...customer, phone: person.phone } : customer, change),
  );
}

function isSame(left: ContactData, right: ContactData): boolean {
  return left.phone === right.phone && left.email === right.email && left.address === right.address;
}

/** Onboarding is not refused because too many codes were sent: another can be asked for later, or an operator. */
async function sendIfPossible(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

async function sendCode(tx: Tx, deps: CodeDependencies, customer: Customer, change: ContactChange) {
  const terms = { merchant: await findMerchantName(tx), fields: fieldsOf(change) };
  return issueCode(tx, deps, { customer, subject: { kind: "contact_change", id: change.id }, terms });
}

/** Another code for a change that waits. Throws contact_change_not_found, invalid_state and what `issueCode` does. */
export async function resendCode(
  tx: Tx,
  deps: CodeDependencies,
  { customerId, changeId }: { readonly customerId: string; readonly changeId: string },
): Promise<ConsentRequest> {
  // Locks: the customer, because the limits count over all changes.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const change = await requirePendingChange(tx, { customerId: customer.id, changeId });
  return consentRequestOf(await sendCode(tx, deps, customer, change));
}
