import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView } from "./checkout-view.ts";

/** Who is paid, for what, and what the chosen plan comes to: beside every step, so that nobody has to go back to look. */
export function OrderSummary({ view }: { readonly view: CheckoutView }) {
  const { merchantName, orderReference, amount, loan } = view;
  return (
    <aside className="summary" aria-label="Your order">
      <p className="summary-merchant">{merchantName}</p>
      <p className="summary-amount amount">{formatNaira(amount)}</p>
      <p className="summary-order">Order {orderReference}</p>
      {loan === null ? null : (
        <dl className="figures">
          <Figure name={loan.tenor === 1 ? "In 1 month" : `${loan.tenor} monthly payments of`}>
            {formatNaira(loan.installmentAmount)}
          </Figure>
          <Figure name="Interest">{formatNaira(loan.totalInterest)}</Figure>
          <Figure name="You repay in total">{formatNaira(loan.totalRepayment)}</Figure>
        </dl>
      )}
    </aside>
  );
}

interface FigureProps {
  readonly name: string;
  readonly children: string;
}

export function Figure({ name, children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className="amount">{children}</dd>
    </div>
  );
}
