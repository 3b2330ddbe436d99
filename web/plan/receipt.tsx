import { Button } from "../shared/button.tsx";
import { formatMoment } from "../shared/calendar.ts";
import { Figure } from "../shared/figure.tsx";
import { MerchantMark } from "../shared/merchant-mark.tsx";
import { formatNairaExactly } from "../shared/naira.ts";
import { Notice } from "../shared/notice.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { paidWith } from "./paid-with.ts";
import type { Payment, PlanView } from "./plan-view.ts";

interface ReceiptProps {
  readonly view: PlanView;
  readonly payment: Payment;
  onBack(): void;
}

/** One payment on one sheet of paper. */
export function Receipt({ view, payment, onBack }: ReceiptProps) {
  const { lender } = view.disclosure;
  return (
    <main className="panel panel-lone stack receipt">
      <MerchantMark name={view.merchantName} logo={view.merchantLogo} />
      <StepHeading title="Receipt">{`From ${lender.name} to ${view.customer.name}`}</StepHeading>
      <p className="summary-left amount">{formatNairaExactly(payment.amount)}</p>
      {payment.status === "reversed" ? (
        <Notice tone="warning">
          <p>This payment was taken back, so it no longer counts.</p>
        </Notice>
      ) : null}
      <dl className="figures figures-boxed">
        <Figure name="Paid on">{formatMoment(payment.paidAt)}</Figure>
        <Figure name="Paid with">{paidWith(payment)}</Figure>
        <Part name="Order" amount={payment.principal} />
        <Part name="Interest" amount={payment.interest} />
        <Part name="Fees" amount={payment.fees} />
        <Part name="More than was owed" amount={payment.credit} />
        <Part name="Given back since" amount={payment.refunded} />
      </dl>
      <dl className="receipt-numbers">
        <dt>Receipt</dt>
        <dd>{payment.id}</dd>
        <dt>Plan</dt>
        <dd>{view.reference}</dd>
        <dt>Lender</dt>
        <dd>
          {lender.name}, {lender.registration}
        </dd>
      </dl>
      <div className="actions on-screen">
        <Button onPress={() => window.print()}>Print or save</Button>
        <Button kind="quiet" onPress={onBack}>
          Back to the plan
        </Button>
      </div>
    </main>
  );
}

function Part({ name, amount }: { readonly name: string; readonly amount: number }) {
  return amount === 0 ? null : <Figure name={name}>{formatNairaExactly(amount)}</Figure>;
}
