import { formatDate } from "../shared/calendar.ts";
import { Figure } from "../shared/figure.tsx";
import { LoanTerms } from "../shared/loan-terms.tsx";
import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView, Plan } from "./checkout-view.ts";
import { PlanChart } from "./plan-chart.tsx";
import { PlanTable } from "./plan-table.tsx";

interface PlanDetailsProps {
  readonly view: CheckoutView;
  readonly plan: Plan;
  /** Whether every payment and condition is shown from the start: where the customer agrees to them, they are. */
  readonly listed: boolean;
}

/** What the plan costs: first the whole and to whom it is owed, then its parts. */
export function PlanDetails({ view, plan, listed }: PlanDetailsProps) {
  const { lender } = view.disclosure;
  const last = plan.schedule.at(-1);
  return (
    <section className="details" aria-label="Your payment plan">
      <div>
        <p className="total-name">You repay in total</p>
        <p className="total-amount amount">{formatNaira(plan.totalRepayment)}</p>
        <p className="lender">
          to <strong>{lender.name}</strong>
          <span className="lender-registration">{lender.registration}</span>
        </p>
      </div>
      <dl className="figures">
        <Figure name={`Paid out to ${view.merchantName}`}>{formatNaira(view.amount)}</Figure>
        <Figure name={`Interest, ${plan.interestRate}% a month, flat`}>{formatNaira(plan.totalInterest)}</Figure>
        <Figure name="Fees">{plan.totalFees === 0 ? "None" : formatNaira(plan.totalFees)}</Figure>
        <Figure name="Yearly rate (APR)">{`${plan.annualRate}%`}</Figure>
        {last === undefined ? null : (
          <Figure name={plan.tenor === 1 ? "Payment" : "Last payment"}>{formatDate(last.dueDate)}</Figure>
        )}
      </dl>
      <PlanChart plan={plan} />
      <details open={listed} key={`payments ${listed}`}>
        <summary>{plan.tenor === 1 ? "The payment in detail" : `All ${plan.tenor} payments`}</summary>
        <PlanTable plan={plan} />
      </details>
      <details open={listed} key={`terms ${listed}`}>
        <summary>Late fee, terms, complaints</summary>
        <LoanTerms disclosure={view.disclosure} />
      </details>
    </section>
  );
}
