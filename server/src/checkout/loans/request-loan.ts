/** Asking for a checkout loan: inside the band, for a tenor on offer, within what the customer may owe. */
import { changeLoanTerms, openLoanAccount } from "../../lending/account/open-loan-account.ts";
import { checkoutCode, findProduct } from "../../lending/pricing/products.ts";
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { Customer } from "../customers/customer.ts";
import { type CheckoutLoan, isIdleChoice } from "./checkout-loan.ts";
import { insertCheckoutLoan, lockLoansOf, updateCheckoutLoan } from "./checkout-loan-store.ts";
import { cancelCheckoutLoan } from "./end-checkout-loan.ts";
import { checkoutLoanProblem } from "./errors.ts";
import type { LendingDependencies, LoanFollowing } from "./loan-moved.ts";
import type { MerchantAccount } from "./merchant-account.ts";
import { type LockedLoan, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { decideEligibility, type Eligibility, readEligibility } from "./read-eligibility.ts";
import { recordLoanRecord } from "./record-loan-event.ts";
import { expireTask, pendingForMs } from "./tasks.ts";

export interface LoanApplication {
  /** Locked, so that two loans at once cannot exceed what the policy allows. */
  readonly customer: Customer;
  readonly amount: Kobo;
  /** Months. */
  readonly tenor: number;
  /** From `resolveMerchantAccount`, asked before this transaction. */
  readonly account: MerchantAccount;
  readonly sessionId?: string | null;
}

/** Locks: the person, after the customer. Throws not_eligible, amount_out_of_band or tenor_not_supported. */
export async function requestLoan(
  tx: Tx,
  { loanMoved, sealer }: LendingDependencies,
  application: LoanApplication,
): Promise<CheckoutLoan> {
  const { customer } = application;
  const eligibility = await decideEligibility(tx, sealer, customer);
  refuseUnlessOffered(eligibility, application);
  await giveUpIdleChoices(tx, { loanMoved }, customer);
  const loan = await writeLoan(tx, application, eligibility);
  await schedule(tx, [{ kind: expireTask, subject: loan.id, dueAt: loan.expiresAt }]);
  await recordLoanRecord(tx, "bnpl.loan.created", loan);
  await loanMoved(tx, loan, null);
  return requireCheckoutLoan(tx, loan.id);
}

/** The decision left them out; consented to afterwards, they would be too much. Their sessions end with them. */
async function giveUpIdleChoices(tx: Tx, deps: LoanFollowing, customer: Customer): Promise<void> {
  const pending = await lockLoansOf(tx, customer, ["pending_consent"]);
  for (const loan of pending.filter(isIdleChoice)) await cancelCheckoutLoan(tx, deps, loan);
}

async function writeLoan(
  tx: Tx,
  { customer, amount, tenor, account, sessionId = null }: LoanApplication,
  { policyVersion }: Eligibility,
): Promise<CheckoutLoan> {
  const { clock } = tx.environment;
  const [id, now] = [clock.newId(), clock.now()];
  const { id: accountId } = await openLoanAccount(tx, {
    owner: { kind: "checkout_loan", id },
    product: await findProduct(tx, checkoutCode),
    terms: { amount, tenor, tenorType: "monthly" },
  });
  const loan: CheckoutLoan = {
    id,
    customerId: customer.id,
    sessionId,
    accountId,
    policyVersion,
    amount,
    owedPrincipal: amount,
    tenor,
    ...account,
    status: "pending_consent",
    consentStatus: "pending_consent",
    consentedAt: null,
    expiresAt: new Date(now.getTime() + pendingForMs),
    disbursementId: null,
    disbursements: 0,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
  await insertCheckoutLoan(tx, loan);
  return loan;
}

function refuseUnlessOffered(eligibility: Eligibility, { amount, tenor }: LoanApplication): void {
  const { eligible, reasons, minAmount, maxAmount } = eligibility;
  if (!eligible) throw checkoutLoanProblem("not_eligible", { data: { reasons } });
  if (amount < minAmount || amount > maxAmount) {
    throw commonProblem("amount_out_of_band", {
      data: { min_amount: nairaNumber(minAmount), max_amount: nairaNumber(maxAmount), currency: "NGN" },
    });
  }
  refuseOtherTenor(eligibility, tenor);
}

function refuseOtherTenor({ tenors }: Pick<Eligibility, "tenors">, wanted: number): void {
  if (tenors.some(({ tenor }) => tenor === wanted)) return;
  throw checkoutLoanProblem("tenor_not_supported", { data: { tenors: tenors.map(({ tenor }) => tenor) } });
}

/**
 * Another number of months, as long as nobody has consented: a code that was sent is then no longer good, because it
 * is bound to the terms. The same tenor again changes nothing. Throws invalid_state or tenor_not_supported.
 */
export async function changeTenor(
  tx: Tx,
  sealer: Sealer,
  { customer, loan }: LockedLoan,
  tenor: number,
): Promise<CheckoutLoan> {
  if (loan.status !== "pending_consent") {
    throw commonProblem("invalid_state", {
      message: `The loan is ${loan.status}; its terms can only be changed before consent.`,
      data: { status: loan.status },
    });
  }
  refuseOtherTenor(await readEligibility(tx, sealer, customer, { except: loan.id }), tenor);
  if (loan.tenor === tenor) return loan;
  const terms = { amount: loan.amount, tenor, tenorType: "monthly" } as const;
  await changeLoanTerms(tx, { accountId: loan.accountId, terms });
  return updateCheckoutLoan(tx, loan, { tenor });
}
