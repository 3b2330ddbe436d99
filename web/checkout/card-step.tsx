import { Button } from "../shared/button.tsx";
import { formatDate } from "../shared/calendar.ts";
import { Icon } from "../shared/icons.tsx";
import { formatNaira } from "../shared/naira.ts";
import { StepHeading } from "../shared/step-heading.tsx";
import type { CheckoutView } from "./checkout-view.ts";
import type { Checkout } from "./use-checkout.ts";

interface CardStepProps {
  readonly view: CheckoutView;
  readonly checkout: Checkout;
}

export function CardStep({ view, checkout }: CardStepProps) {
  const first = view.loan?.schedule[0];
  const open = () => void checkout.act("card-link");
  return (
    <div className="stack">
      <StepHeading title="Add the card for your payments">
        Thank you, you have agreed to the plan. Your card is the last thing we need.
      </StepHeading>
      <ul className="promises">
        <li>
          <Icon name="check" />
          <span>Nothing is taken today.</span>
        </li>
        {first === undefined ? null : (
          <li>
            <Icon name="clock" />
            <span>
              The first {formatNaira(first.amountDue)} is taken on {formatDate(first.dueDate)}.
            </span>
          </li>
        )}
        <li>
          <Icon name="lock" />
          <span>{view.merchantName} never sees your card number.</span>
        </li>
      </ul>
      <Button busy={checkout.busy === "card-link"} busyText="Opening the card page" onPress={open}>
        Add a card
      </Button>
    </div>
  );
}
