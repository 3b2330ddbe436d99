import { formatDayOfYear } from "../shared/calendar.ts";
import { Icon } from "../shared/icons.tsx";
import { formatNaira } from "../shared/naira.ts";
import { paidWith } from "./paid-with.ts";
import type { Payment } from "./plan-view.ts";

interface PaymentListProps {
  readonly payments: readonly Payment[];
  onOpen(id: string): void;
}

/** Everything that was paid, newest first; each line leads to its receipt. */
export function PaymentList({ payments, onOpen }: PaymentListProps) {
  return (
    <section className="panel" aria-labelledby="receipts">
      <h2 id="receipts">Receipts</h2>
      {payments.length === 0 ? (
        <p className="small-print list-empty">Every payment will have its receipt here, to print or to keep.</p>
      ) : (
        <ul className="payments">
          {payments.map((payment) => (
            <li key={payment.id}>
              <button type="button" className="payment" onClick={() => onOpen(payment.id)}>
                <span>
                  <span className="payment-date">{formatDayOfYear(payment.paidAt)}</span>
                  <span className="schedule-note">{paidWith(payment)}</span>
                </span>
                <span className="amount payment-amount">{formatNaira(payment.amount)}</span>
                <Icon name="receipt" />
                <span className="visually-hidden">Open the receipt</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
