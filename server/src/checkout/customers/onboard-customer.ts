/**
 * Onboarding: the same BVN is the same customer, whose data are brought up to date. The identity provider is asked
 * before the transaction (`askIdentity`); here its answer is written down with what it was asked about.
 */
import type { Sealer } from "../../platform/crypto.ts";
import type { Tx } from "../../platform/database.ts";
import { takePositions } from "../../platform/pagination.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import { askLater } from "./ask-later.ts";
import { type Customer, customerList, type KycStatus, type Person } from "./customer.ts";
import { moveKyc } from "./customer-store.ts";
import { findIdByBvn, insertCustomer, readIdentified, updatePerson } from "./person-store.ts";
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
  await insertCustomer(tx, sealer, { id, position, person, kycStatus, kycReason });
  if (kycStatus === "pending") await askLater(tx, id, 1);
  return requireCustomer(tx, id);
}

async function updateCustomer(tx: Tx, sealer: Sealer, id: string, { person, answer }: Onboarding): Promise<Customer> {
  const before = await requireCustomer(tx, id);
  const claimed = await readIdentified(tx, sealer, before);
  await updatePerson(tx, sealer, id, person);
  const after = await requireCustomer(tx, id);
  const asserted = await readIdentified(tx, sealer, after);
  const isNewClaim = JSON.stringify(claimed) !== JSON.stringify(asserted);
  if (before.kycStatus !== "pending" && !isNewClaim) return after;
  // What was left out this time was not asked about: the whole claim is then checked by the task.
  const isWhole = asserted.nin === person.nin && String(asserted.dateOfBirth) === String(person.dateOfBirth);
  const kyc = isWhole ? kycOf(answer) : kycOf({ outcome: "unavailable" });
  await moveKyc(tx, id, { from: before.kycStatus, to: kyc.status, reason: kyc.reason });
  if (kyc.status === "pending") await askLater(tx, id, isWhole ? 1 : 0);
  return requireCustomer(tx, id);
}

export function kycOf(answer: IdentityAnswer): { status: KycStatus; reason: string | null } {
  if (answer.outcome === "matched") return { status: "verified", reason: null };
  if (answer.outcome === "mismatched") return { status: "failed", reason: answer.reason };
  return { status: "pending", reason: null };
}
