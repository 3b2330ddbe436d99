import { formatDate } from "../shared/calendar.ts";
import { Figure } from "../shared/figure.tsx";
import { LoanTerms } from "../shared/loan-terms.tsx";
import { formatNaira } from "../shared/naira.ts";
import type { PlanView } from "./plan-view.ts";

/** Who lent, at what price, and where to complain. */
export function AboutLoan({ view }: { readonly view: PlanView }) {
  const { lender } = view.disclosure;
  return (
    <section className="panel about-loan" aria-labelledby="about">
      <h2 id="about">About this loan</h2>
      <p className="lender">
        Lent by <strong>{lender.name}</strong>
        <span className="lender-registration">{lender.registration}</span>
      </p>
      <dl className="figures">
        <Figure name={`Paid out to ${view.merchantName}`}>{formatNaira(view.amount)}</Figure>
        {view.startedAt === null ? null : <Figure name="On">{formatDate(view.startedAt)}</Figure>}
        <Figure name={`Interest, ${view.interestRate}% a month, flat`}>{formatNaira(view.totalInterest)}</Figure>
        <Figure name="Fees">{view.totalFees === 0 ? "None" : formatNaira(view.totalFees)}</Figure>
        {view.lateFees === 0 ? null : <Figure name="Late fees">{formatNaira(view.lateFees)}</Figure>}
        <Figure name="Yearly rate (APR)">{`${view.annualRate}%`}</Figure>
        <Figure name="You repay in total">{formatNaira(view.totalRepayment)}</Figure>
      </dl>
      <details>
        <summary>Late fee, terms, complaints</summary>
        <LoanTerms disclosure={view.disclosure} />
      </details>
    </section>
  );
}
