import { formatDate } from "../shared/calendar.ts";
import { cardName } from "../shared/card-name.ts";
import { Figure } from "../shared/figure.tsx";
import { formatNaira } from "../shared/naira.ts";
import { Outcome } from "../shared/outcome.tsx";
import { ReturnLink } from "../shared/return-link.tsx";
import type { CheckoutView } from "./checkout-view.ts";

const returnAfterSeconds = 8;

export function CompletedStep({ view }: { readonly view: CheckoutView }) {
  const { merchantName, amount, loan, card, returnUrl } = view;
  const first = loan?.schedule[0];
  return (
    <Outcome
      tone="good"
      icon="check"
      title="Your order is paid"
      text={`${merchantName} has received ${formatNaira(amount)}. You do not have to do anything now.`}
    >
      <dl className="figures figures-boxed">
        {first === undefined ? null : (
          <>
            <Figure name="First payment">{formatNaira(first.amountDue)}</Figure>
            <Figure name="Taken on">{formatDate(first.dueDate)}</Figure>
          </>
        )}
        {card === null ? null : <Figure name="Taken from">{cardName(card)}</Figure>}
      </dl>
      <div className="actions">
        <ReturnLink url={returnUrl} afterSeconds={returnAfterSeconds}>
          {`Return to ${merchantName}`}
        </ReturnLink>
        <p className="small-print centred">We take you back there in a few seconds.</p>
      </div>
    </Outcome>
  );
}
