import { formatDate } from "../shared/calendar.ts";
import { formatNaira } from "../shared/naira.ts";
import type { Plan } from "./checkout-view.ts";
import { Figure } from "./figure.tsx";
import { PlanChart } from "./plan-chart.tsx";
import { PlanTable } from "./plan-table.tsx";

interface PlanDetailsProps {
  readonly plan: Plan;
  /** Whether every payment is listed from the start: where the customer agrees to them, they are. */
  readonly listed: boolean;
}

export function PlanDetails({ plan, listed }: PlanDetailsProps) {
  const first = plan.schedule[0];
  return (
    <section className="details" aria-label="Your payment plan">
      <PlanChart plan={plan} />
      <dl className="figures">
        {first === undefined ? null : (
          <Figure name={plan.tenor === 1 ? "Payment" : "First payment"}>{formatDate(first.dueDate)}</Figure>
        )}
        <Figure name={`Interest at ${plan.interestRate}% a month`}>{formatNaira(plan.totalInterest)}</Figure>
        <Figure name="You repay in total">{formatNaira(plan.totalRepayment)}</Figure>
      </dl>
      <details open={listed} key={String(listed)}>
        <summary>{plan.tenor === 1 ? "The payment in detail" : `All ${plan.tenor} payments`}</summary>
        <PlanTable plan={plan} />
      </details>
    </section>
  );
}
