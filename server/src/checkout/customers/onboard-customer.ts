/**
 * Onboarding: the same BVN is the same customer, as known. Sending it again proves nothing: a name, birthday
 * or NIN takes effect when the register confirms it, contact data when the customer does (`propose-contact-change.ts`).
 * The identity provider is asked before the transaction (`askAboutPerson`); here its answer is written down.
 */

import type { Tx } from "../../platform/database/database.ts";
import { takePositions } from "../../platform/records/pagination.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import type { Identified } from "./ask-identity.ts";
import { askLater } from "./ask-later.ts";
import { type Customer, customerList, type KycStatus, type Person } from "./customer.ts";
import { forgetProof, moveKyc, proveIdentity } from "./customer-store.ts";
import { findIdByBvn, insertCustomer, readIdentified, updateClaim, updateNotes } from "./person-store.ts";
import { requireCustomer } from "./read-customer.ts";

export interface Onboarding {
  readonly person: Person;
  readonly answer: IdentityAnswer;
}

export interface Onboarded {
  readonly customer: Customer;
  readonly created: boolean;
}

export async function onboardCustomer(tx: Tx, sealer: Sealer, onboarding: Onboarding): Promise<Onboarded> {
  const known = await findIdByBvn(tx, sealer, onboarding.person.bvn);
  if (known !== undefined) return { customer: await updateCustomer(tx, sealer, known, onboarding), created: false };
  return { customer: await createCustomer(tx, sealer, onboarding), created: true };
}

async function createCustomer(tx: Tx, sealer: Sealer, { person, answer }: Onboarding): Promise<Customer> {
  const id = tx.environment.clock.newId();
  const { status: kycStatus, reason: kycReason } = kycOf(answer);
  const position = await takePositions(tx, customerList, 1);
  const identityProof = proofOf(answer);
  await insertCustomer(tx, sealer, { id, position, person, kycStatus, kycReason, identityProof });
  if (kycStatus === "pending") await askLater(tx, id, 1);
  return requireCustomer(tx, id);
}

async function updateCustomer(tx: Tx, sealer: Sealer, id: string, { person, answer }: Onboarding): Promise<Customer> {
  await updateNotes(tx, id, person);
  const before = await requireCustomer(tx, id);
  const known = await readIdentified(tx, sealer, before);
  const claim = claimOf(person, known);
  // Somebody has added to the claim since the register was asked: its answer is to another question.
  const isAnswered = claim.nin === person.nin && String(claim.dateOfBirth) === String(person.dateOfBirth);
  if (before.kycByOperator || !isAnswered) return before;
  const isNewClaim = JSON.stringify(known) !== JSON.stringify(claim);
  const { status, reason } = kycOf(answer);
  const counts = isNewClaim ? status === "verified" : before.kycStatus === "pending" && status !== "pending";
  if (counts && isNewClaim) await updateClaim(tx, sealer, id, claim);
  if (counts && hasCardOfOther(before, claim)) await forgetProof(tx, id);
  if (proofOf(answer) === "phone" && person.phone === before.phone) await proveIdentity(tx, id, "phone");
  if (counts) await moveKyc(tx, id, { from: before.kycStatus, to: status, reason });
  return requireCustomer(tx, id);
}

/** The card was compared with a name that the register had not confirmed, and now confirms another one. */
function hasCardOfOther({ kycStatus, identityProof, firstName, lastName }: Customer, claim: Identified): boolean {
  if (identityProof !== "card" || kycStatus === "verified") return false;
  return firstName !== claim.firstName || lastName !== claim.lastName;
}

/** What would be claimed if this was believed: what is left out stays as it is known. */
export function claimOf(person: Person, known: Identified): Identified {
  const { bvn, firstName, lastName } = person;
  const [nin, dateOfBirth] = [person.nin ?? known.nin, person.dateOfBirth ?? known.dateOfBirth];
  return { bvn, nin, firstName, lastName, dateOfBirth };
}

/** The register has the phone that the person gave: what is sent there reaches the owner of the BVN. */
export function proofOf(answer: IdentityAnswer): "phone" | "none" {
  return answer.outcome === "matched" && answer.phone === "fits" ? "phone" : "none";
}

export function kycOf(answer: IdentityAnswer): { status: KycStatus; reason: string | null } {
  if (answer.outcome === "matched") return { status: "verified", reason: null };
  if (answer.outcome === "mismatched") return { status: "failed", reason: answer.reason };
  return { status: "pending", reason: null };
}
