/** What a customer may borrow now: the policy's decision about the facts of this moment. */

import { dueParts } from "../../lending/instalment.ts";
import { lagosDate } from "../../lending/lagos-date.ts";
import { type Rate, rateOf } from "../../lending/product.ts";
import { checkoutCode, findProduct } from "../../lending/products.ts";
import { findRefundedWhole, readLoanAccount } from "../../lending/read-loan-account.ts";
import { larger, smaller, subtract, sum } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database.ts";
import type { Customer } from "../customers/customer.ts";
import { type CheckoutLoan, isIdleChoice, openStatuses } from "../loans/checkout-loan.ts";
import { countLoansOf, readLoansOf } from "../loans/checkout-loan-store.ts";
import { type CreditDecision, type CreditFacts, decide } from "./decide.ts";
import { findPolicy } from "./policies.ts";
import { highestLimit } from "./policy.ts";

export interface OfferedTenor {
  /** Months. */
  readonly tenor: number;
  /** Per month. */
  readonly rate: Rate;
}

export interface Eligibility extends CreditDecision {
  readonly customerId: string;
  /** The most that anybody may borrow, whoever it is. */
  readonly highestAmount: Kobo;
  readonly tenors: readonly OfferedTenor[];
  readonly policyVersion: number;
  /** Until then the answer is worth showing; a loan is decided anew when it is asked for. */
  readonly expiresAt: Date;
}

const worthShowingForMs = 30 * 60_000;

/** Without `except`, a loan that is being decided about. Binding only while the customer's row is locked. */
export async function readEligibility(
  tx: Tx,
  customer: Customer,
  { except }: { readonly except?: string } = {},
): Promise<Eligibility> {
  const [policy, product] = [await findPolicy(tx), await findProduct(tx, checkoutCode)];
  const decision = decide(policy, await readFacts(tx, customer, except));
  const offer = product.tenures.monthly;
  const rate = rateOf(product, "monthly");
  const offered = policy.tenors.filter((tenor) => offer && tenor >= offer.shortest && tenor <= offer.longest);
  return {
    ...decision,
    customerId: customer.id,
    minAmount: larger(decision.minAmount, product.minimumAmount),
    maxAmount: smaller(decision.maxAmount, product.maximumAmount),
    highestAmount: smaller(highestLimit(policy), product.maximumAmount),
    tenors: offered.map((tenor) => ({ tenor, rate })),
    policyVersion: policy.version,
    expiresAt: new Date(tx.environment.clock.now().getTime() + worthShowingForMs),
  };
}

async function readFacts(tx: Tx, customer: Customer, except: string | undefined): Promise<CreditFacts> {
  const open = (await readLoansOf(tx, customer.id, openStatuses)).filter(
    (loan) => loan.id !== except && !isIdleChoice(loan),
  );
  const owed: Kobo[] = [];
  for (const loan of open) owed.push(await principalOf(tx, loan));
  return {
    kycStatus: customer.kycStatus,
    age: ageOf(customer.dateOfBirth, lagosDate(tx.environment.clock.now())),
    openLoans: open.length,
    overdueLoans: open.filter(({ status }) => status === "overdue").length,
    writtenOffLoans: await countLoansOf(tx, customer.id, "written_off"),
    completedLoans: await countRepaidLoans(tx, customer.id),
    exposure: sum(owed),
  };
}

/**
 * A loan that the merchant's own refund has ended proves nothing about the customer: with a merchant who plays along,
 * anybody could rise for nothing.
 */
async function countRepaidLoans(tx: Tx, customerId: string): Promise<number> {
  const completed = (await readLoansOf(tx, customerId, ["completed"])).map(({ reference }) => reference);
  return completed.length - (await findRefundedWhole(tx, completed)).size;
}

/** Principal that is still owed; all of it as long as the money is not out. */
async function principalOf(tx: Tx, loan: CheckoutLoan): Promise<Kobo> {
  const view = await readLoanAccount(tx, loan.reference);
  if (view === undefined) throw new Error(`checkout loan ${loan.id} has no account`);
  if (view.account.disbursedAt === null) return loan.amount;
  return sum(view.instalments.map((each) => subtract(dueParts(each).principal, each.paid.principal)));
}

function ageOf(dateOfBirth: Temporal.PlainDate | null, today: Temporal.PlainDate): number | null {
  return dateOfBirth === null ? null : dateOfBirth.until(today, { largestUnit: "year" }).years;
}
