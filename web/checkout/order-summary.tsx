import { MerchantMark } from "../shared/merchant-mark.tsx";
import { formatNaira } from "../shared/naira.ts";
import type { CheckoutView, OrderItem, Plan } from "./checkout-view.ts";
import { PlanDetails } from "./plan-details.tsx";

interface OrderSummaryProps {
  readonly view: CheckoutView;
  /** The plan that is being looked at, where there is room for it here. */
  readonly plan: Plan | null;
  readonly listed: boolean;
}

/** Who is paid and what for: beside every step, so that nobody has to go back to look. */
export function OrderSummary({ view, plan, listed }: OrderSummaryProps) {
  const { merchantName, merchantLogo, amount, orderReference, items } = view;
  return (
    <aside className="summary" aria-label="Your order">
      <MerchantMark name={merchantName} logo={merchantLogo} />
      <p className="summary-amount amount">{formatNaira(amount)}</p>
      <p className="summary-order">Order {orderReference}</p>
      {items.length === 0 ? null : <Items items={items} />}
      {plan === null ? null : <PlanDetails view={view} plan={plan} listed={listed} />}
    </aside>
  );
}

/** So many lines stay open; a longer order is folded away. */
const fewItems = 4;

function Items({ items }: { readonly items: readonly OrderItem[] }) {
  const list = (
    <ul className="items">
      {items.map(({ name, quantity, amount }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an order may have the same line twice, and never changes.
        <li key={place}>
          <span className="item-name">{quantity === 1 ? name : `${quantity} × ${name}`}</span>
          <span className="amount">{formatNaira(amount)}</span>
        </li>
      ))}
    </ul>
  );
  if (items.length <= fewItems) return list;
  return (
    <details className="items-folded">
      <summary>{items.length} items</summary>
      {list}
    </details>
  );
}
