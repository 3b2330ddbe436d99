import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView, Plan } from "./checkout-view.ts";

interface AgreementTextProps {
  readonly view: CheckoutView;
  readonly plan: Plan;
}

/** What the customer agrees to, in one paragraph. */
export function AgreementText({ view: { amount, merchantName }, plan }: AgreementTextProps) {
  const payments = plan.tenor === 1 ? "one payment" : `${plan.tenor} monthly payments`;
  const sentences = [
    `You borrow ${formatNaira(amount)} to pay ${merchantName}.`,
    `You repay ${formatNaira(plan.totalRepayment)} in ${payments}, ${formatNaira(plan.totalInterest)} of it interest.`,
    `Due dates count from the day on which ${merchantName} is paid.`,
    "Each payment is taken from your card when it is due. A late payment may cost a fee.",
  ];
  return <p className="small-print">{sentences.join(" ")}</p>;
}
