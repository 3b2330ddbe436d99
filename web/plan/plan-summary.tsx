import { MerchantMark } from "../shared/merchant-mark.tsx";
import { formatNaira } from "../shared/naira.ts";
import type { PlanView } from "./plan-view.ts";

/** Whose plan it is and how far it has got. */
export function PlanSummary({ view }: { readonly view: PlanView }) {
  const { merchantName, merchantLogo, balance, paid, credit, orderReference, schedule } = view;
  const done = schedule.filter(({ status }) => status === "paid").length;
  return (
    <section className="plan-summary" aria-label="How far you are">
      <MerchantMark name={merchantName} logo={merchantLogo} />
      <p className="summary-name">Left to pay</p>
      <p className="summary-left amount">{formatNaira(balance)}</p>
      <ol className="parts" aria-hidden="true">
        {schedule.map(({ number, status }) => (
          <li key={number} className={`part part-${status}`} />
        ))}
      </ol>
      <p className="small-print">
        {done} of {schedule.length === 1 ? "1 payment" : `${schedule.length} payments`} done, {formatNaira(paid)} paid
        so far.
      </p>
      {credit === 0 ? null : (
        <p className="small-print">
          You have paid {formatNaira(credit)} too much. {merchantName} can give it back to you.
        </p>
      )}
      {orderReference === null ? null : <p className="small-print summary-order">Order {orderReference}</p>}
    </section>
  );
}
