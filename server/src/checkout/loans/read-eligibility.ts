/** What a customer may borrow now: the policy's decision about the facts of this moment. */

import { sql } from "kysely";
import { checkoutCode, findProduct } from "../../lending/pricing/products.ts";
import { sum } from "../../money/arithmetic.ts";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import type { CreditFacts } from "../credit/decide.ts";
import { type CreditOffer, offerFor } from "../credit/offer.ts";
import { findPolicy } from "../credit/policies.ts";
import { nothingRepaid } from "../credit/policy.ts";
import { type Customer, isOwner } from "../customers/customer.ts";
import { isIdleChoice, openStatuses } from "./checkout-loan.ts";
import { countLoansOf, readLoansOf } from "./checkout-loan-store.ts";
import { lockPerson, type Marks, readMarks, type Standing, type StandingQuestion } from "./standing.ts";

export interface Eligibility extends CreditOffer {
  readonly customerId: string;
  readonly policyVersion: number;
  /** Until then the answer is worth showing; a loan is decided again when it is asked for. */
  readonly expiresAt: Date;
}

const worthShowingForMs = 30 * 60_000;

/** Binding: the caller has locked the customer's row, and here the person is locked at all merchants. */
export async function decideEligibility(
  tx: Tx,
  sealer: Sealer,
  customer: Customer,
  options: { readonly except?: string } = {},
): Promise<Eligibility> {
  const marks = await readMarks(tx, sealer, customer);
  await lockPerson(tx, marks);
  return eligibilityOf(tx, customer, marks, options);
}

/** Without `except`, a loan that is being decided about. For showing; only `decideEligibility` binds. */
export async function readEligibility(
  tx: Tx,
  sealer: Sealer,
  customer: Customer,
  options: { readonly except?: string } = {},
): Promise<Eligibility> {
  return eligibilityOf(tx, customer, await readMarks(tx, sealer, customer), options);
}

async function eligibilityOf(
  tx: Tx,
  customer: Customer,
  marks: Marks,
  { except }: { readonly except?: string },
): Promise<Eligibility> {
  const [policy, product] = [await findPolicy(tx), await findProduct(tx, checkoutCode)];
  const standing = await readStanding(tx, { marks, except, counting: policy.counting });
  return {
    ...offerFor({ policy, product }, await readFacts(tx, customer, except, standing)),
    customerId: customer.id,
    policyVersion: policy.version,
    expiresAt: tx.environment.clock.after(worthShowingForMs),
  };
}

async function readFacts(
  tx: Tx,
  customer: Customer,
  except: string | undefined,
  standing: Standing,
): Promise<CreditFacts> {
  const open = (await readLoansOf(tx, customer.id, openStatuses)).filter(
    (loan) => loan.id !== except && !isIdleChoice(loan),
  );
  return {
    kycStatus: customer.kycStatus,
    age: ageOf(customer.dateOfBirth, lagosDate(tx.environment.clock.now())),
    openLoans: open.length,
    overdueLoans: open.filter(({ status }) => status === "overdue").length,
    writtenOffLoans: await countLoansOf(tx, customer.id, "written_off"),
    // The loans of a BVN raise the limit of its owner only.
    ...(isOwner(customer, tx.environment.kind) ? standing.repaid : nothingRepaid),
    exposure: sum(open.map(({ owedPrincipal }) => owedPrincipal)),
    atLender: standing,
  };
}

function ageOf(dateOfBirth: Temporal.PlainDate | null, today: Temporal.PlainDate): number | null {
  return dateOfBirth === null ? null : dateOfBirth.until(today, { largestUnit: "year" }).years;
}

interface StandingRow {
  readonly open_loans: number;
  readonly overdue_loans: number;
  readonly written_off_loans: number;
  readonly exposure: bigint;
  readonly repaid_loans: number;
  readonly repaid_amount: bigint;
}

async function readStanding(tx: Tx, question: StandingQuestion): Promise<Standing> {
  const { bvns, applicantBvns, nins, phone, cards } = question.marks;
  const { repaidPercent, daysOut } = question.counting;
  const found = await sql<StandingRow>`
    select open_loans, overdue_loans, written_off_loans, exposure, repaid_loans, repaid_amount
    from read_person_standing(${bvns}::bytea[], ${applicantBvns}::bytea[], ${nins}::bytea[], ${[phone]}::text[],
      ${cards}::bytea[], ${question.except ?? null}::uuid, ${repaidPercent}, ${daysOut})`.execute(tx);
  const [row] = found.rows;
  if (row === undefined) throw new Error("the sums of a lender are always one row");
  return {
    openLoans: row.open_loans,
    overdueLoans: row.overdue_loans,
    writtenOffLoans: row.written_off_loans,
    exposure: kobo(row.exposure),
    repaid: { completedLoans: row.repaid_loans, repaidAmount: kobo(row.repaid_amount) },
  };
}
