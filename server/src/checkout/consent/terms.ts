/**
 * The terms of a loan as the customer is shown them, in words and figures of the API. They are hashed in their
 * canonical form (members in the order of their names, no blanks), so that anybody who has them can compute the hash
 * again.
 */
import { createHash } from "node:crypto";
import type { LoanContract } from "../../lending/account/loan.ts";
import { annualRateOf } from "../../lending/pricing/annual-rate.ts";
import { ratePercent, type TenorType } from "../../lending/pricing/product.ts";
import { amountDue, type PlannedInstalment, quote } from "../../lending/pricing/quote.ts";
import { findMerchantName } from "../../merchants/read-merchants.ts";
import { nairaString } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { type Lending, lenderFor } from "../loans/lender.ts";
import { complaintsText, conditionsText, lateFeeText, statementText, textVersion } from "./terms-text.ts";

export interface ConsentTerms {
  /** Of the text; consents given before there was one have none, nor the members marked below. */
  readonly version?: string;
  readonly lender: string;
  /** Since 2026-11. */
  readonly lender_registration?: string;
  readonly merchant: string;
  readonly currency: "NGN";
  readonly amount: string;
  readonly tenor: number;
  readonly tenor_type: TenorType;
  /** Percent per month, flat. */
  readonly interest_rate: number;
  /** Percent a year, effective, with every fee. Since 2026-11. */
  readonly annual_rate?: number;
  readonly total_interest: string;
  readonly total_fees: string;
  readonly total_repayment: string;
  readonly installment_amount: string;
  readonly schedule: readonly {
    readonly installment_number: number;
    readonly due_date: string;
    readonly principal: string;
    readonly interest: string;
    readonly fees: string;
    readonly amount_due: string;
  }[];
  readonly statement: string;
  /** Since 2026-11. */
  readonly late_fee?: string;
  readonly conditions?: readonly string[];
  readonly complaints?: string;
}

/** What a code for a change of contact data stands for. */
export interface ChangeTerms {
  readonly merchant: string;
  readonly fields: readonly string[];
}

/** What a code for the door of a plan's page stands for. */
export interface EntryTerms {
  readonly merchant: string;
  readonly opens: "plan";
}

export type CodeTerms = ConsentTerms | ChangeTerms | EntryTerms;

/** The terms if the loan were paid out today. */
export async function readTerms(tx: Tx, lending: Lending, { account, product }: LoanContract): Promise<ConsentTerms> {
  const merchant = await findMerchantName(tx);
  const lender = lenderFor(lending, tx.environment.kind);
  const plan = quote(product, account, lagosDate(tx.environment.clock.now()));
  return {
    version: textVersion,
    lender: lender.name,
    lender_registration: lender.registration,
    merchant,
    currency: "NGN",
    amount: nairaString(plan.amount),
    tenor: plan.tenor,
    tenor_type: plan.tenorType,
    interest_rate: ratePercent(plan.rate),
    annual_rate: ratePercent(annualRateOf(plan)),
    total_interest: nairaString(plan.totalInterest),
    total_fees: nairaString(plan.totalFees),
    total_repayment: nairaString(plan.totalRepayment),
    installment_amount: nairaString(plan.instalmentAmount),
    schedule: plan.instalments.map(presentInstalment),
    statement: statementText(lender, { ...plan, merchant }),
    late_fee: lateFeeText(product),
    conditions: conditionsText(merchant),
    complaints: complaintsText(lender),
  };
}

function presentInstalment(instalment: PlannedInstalment): ConsentTerms["schedule"][number] {
  return {
    installment_number: instalment.number,
    due_date: instalment.dueDate.toString(),
    principal: nairaString(instalment.principal),
    interest: nairaString(instalment.interest),
    fees: nairaString(instalment.fees),
    amount_due: nairaString(amountDue(instalment)),
  };
}

export function hashTerms(terms: CodeTerms): Buffer {
  return createHash("sha256").update(canonicalJson(terms), "utf8").digest();
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
