import { useState } from "react";
import { Button } from "../shared/button.tsx";
import { formatNaira } from "../shared/naira.ts";
import { StepHeading } from "../shared/step-heading.tsx";
import type { CheckoutView, Plan } from "./checkout-view.ts";
import { PlanChoice } from "./plan-choice.tsx";
import { PlanDetails } from "./plan-details.tsx";
import type { Checkout } from "./use-checkout.ts";

interface OfferStepProps {
  readonly view: CheckoutView;
  readonly checkout: Checkout;
  onChosen(): void;
}

export function OfferStep({ view, checkout, onChosen }: OfferStepProps) {
  const [tenor, setTenor] = useState(() => firstChoice(view));
  const plan = view.offers.find((offer) => offer.tenor === tenor);
  const take = async () => {
    if (await checkout.act("terms", { tenor })) onChosen();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <StepHeading title={`${view.customer.firstName}, choose how to pay`}>
        Take your order now and pay {formatNaira(view.amount)} back month by month. You pay nothing today.
      </StepHeading>
      <PlanChoice offers={view.offers} chosen={tenor} onChoose={setTenor} />
      {plan === undefined ? null : <PlanDetails plan={plan} open={false} />}
      <Button type="submit" busy={checkout.busy === "terms"} busyText="One moment" disabled={plan === undefined}>
        {plan === undefined ? "Continue" : `Continue with ${monthsOf(plan)}`}
      </Button>
    </form>
  );
}

/** What was chosen before, else three months: short enough to be cheap, long enough to be light. */
function firstChoice({ loan, offers }: CheckoutView): number {
  const usual = offers.find((offer) => offer.tenor === 3) ?? offers[0];
  return loan?.tenor ?? usual?.tenor ?? 0;
}

function monthsOf({ tenor }: Plan): string {
  return tenor === 1 ? "1 month" : `${tenor} months`;
}
