import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView, Plan } from "./checkout-view.ts";

interface AgreementTextProps {
  readonly view: CheckoutView;
  readonly plan: Plan;
}

/** What the customer agrees to, in one paragraph. */
export function AgreementText({ view, plan }: AgreementTextProps) {
  const payments = plan.tenor === 1 ? "one payment" : `${plan.tenor} monthly payments`;
  return (
    <p className="small-print">
      You borrow {formatNaira(view.amount)} to pay {view.merchantName} and repay {formatNaira(plan.totalRepayment)} in{" "}
      {payments}, {formatNaira(plan.totalInterest)} of it interest. Due dates count from the day {view.merchantName} is
      paid. Each payment is taken from your card when it is due. A late payment may cost a fee.
    </p>
  );
}
