/**
 * How a person stands with the lender, over all merchants. All LIVE environments of an installation are one lender,
 * the operator; each sandbox is a lender of its own. A person is anybody who has the BVN, the NIN, the phone or a card:
 * one phone under five BVNs has one limit.
 */
import type { Tx } from "../../platform/database/database.ts";
import { lockPlaces } from "../../platform/database/lock-places.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { LenderStanding } from "../credit/decide.ts";
import type { CountingRule, RepaidLoans } from "../credit/policy.ts";
import type { Customer } from "../customers/customer.ts";
import { readFingerprints, readIdentified } from "../customers/person-store.ts";
import { bvnPurpose, ninPurpose } from "../customers/sealed-columns.ts";

/** What loans that were asked for with POST /loans/create know a BVN by; a test compares it with theirs. */
export const applicantBvnPurpose = "loan_applicants.bvn";

/** What a person is known by: keyed hashes, the same in every environment, one for each master key that is in use. */
export interface Marks {
  readonly bvns: readonly Buffer[];
  readonly applicantBvns: readonly Buffer[];
  readonly nins: readonly Buffer[];
  readonly phone: string;
  readonly cards: readonly Buffer[];
}

export async function readMarks(tx: Tx, sealer: Sealer, customer: Customer): Promise<Marks> {
  const { bvn, nin } = await readIdentified(tx, sealer, customer);
  return {
    bvns: sealer.blindIndexes(bvn, bvnPurpose),
    applicantBvns: sealer.blindIndexes(bvn, applicantBvnPurpose),
    nins: nin === null ? [] : sealer.blindIndexes(nin, ninPurpose),
    phone: customer.phone,
    cards: await readFingerprints(tx, customer.id),
  };
}

export interface Standing extends LenderStanding {
  /** Of this BVN, what counts for the tier. */
  readonly repaid: RepaidLoans;
}

export interface StandingQuestion {
  readonly marks: Marks;
  /** A loan that is being decided about. */
  readonly except: string | undefined;
  readonly counting: CountingRule;
}

/**
 * Locks: everything that the person is known by, at this lender, in one order, so that of two loans at two merchants
 * the later one sees the earlier. A caller that takes them has locked the customer before, and locks nothing of others
 * after.
 */
export async function lockPerson(tx: Tx, { bvns, nins, phone, cards }: Marks): Promise<void> {
  const { kind } = tx.environment;
  const lender = kind === "LIVE" ? "live" : tx.environment.id;
  const hashes = [...bvns, ...nins, ...cards].map((mark) => mark.toString("hex"));
  await lockPlaces(
    tx,
    [...hashes, phone].map((mark) => `credit/${lender}/${mark}`),
  );
}
