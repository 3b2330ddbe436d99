import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView, Plan } from "./checkout-view.ts";
import { PlanDetails } from "./plan-details.tsx";

interface OrderSummaryProps {
  readonly view: CheckoutView;
  /** The plan that is being looked at, where there is room for it here. */
  readonly plan: Plan | null;
  readonly listed: boolean;
}

/** Who is paid and what for: beside every step, so that nobody has to go back to look. */
export function OrderSummary({ view, plan, listed }: OrderSummaryProps) {
  return (
    <aside className="summary" aria-label="Your order">
      <p className="summary-merchant">{view.merchantName}</p>
      <p className="summary-amount amount">{formatNaira(view.amount)}</p>
      <p className="summary-order">Order {view.orderReference}</p>
      {plan === null ? null : <PlanDetails plan={plan} listed={listed} />}
    </aside>
  );
}
