import { Button } from "../shared/button.tsx";
import { formatNaira } from "../shared/naira.ts";
import { StepHeading } from "../shared/step-heading.tsx";
import type { Plan } from "./checkout-view.ts";
import { PlanChoice } from "./plan-choice.tsx";
import { PlanDetails } from "./plan-details.tsx";
import type { StepProps } from "./step-props.ts";

interface OfferStepProps extends StepProps {
  readonly plan: Plan | null;
  onChoose(tenor: number): void;
  onTaken(): void;
}

export function OfferStep({ view, checkout, wide, plan, onChoose, onTaken }: OfferStepProps) {
  const take = async () => {
    if (plan !== null && (await checkout.act("terms", { tenor: plan.tenor })).taken) onTaken();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <StepHeading title="Choose how to pay">
        Take your order now and pay {formatNaira(view.amount)} back month by month. You pay nothing today.
      </StepHeading>
      <PlanChoice offers={view.offers} chosen={plan?.tenor ?? null} onChoose={onChoose} />
      {plan === null || wide ? null : <PlanDetails view={view} plan={plan} listed={false} />}
      <div className="within-reach">
        {plan === null ? null : (
          <p className="reach-note">
            <strong className="amount">{formatNaira(plan.totalRepayment)}</strong> in total to{" "}
            {view.disclosure.lender.name}
          </p>
        )}
        <Button type="submit" busy={checkout.busy === "terms"} busyText="One moment" disabled={plan === null}>
          {plan === null ? "Continue" : `Continue with ${plan.tenor === 1 ? "1 month" : `${plan.tenor} months`}`}
        </Button>
      </div>
    </form>
  );
}
