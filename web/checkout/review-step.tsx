import { Button } from "../shared/button.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { AgreementText } from "./agreement-text.tsx";
import type { Plan } from "./checkout-view.ts";
import { PlanDetails } from "./plan-details.tsx";
import type { StepProps } from "./step-props.ts";

interface ReviewStepProps extends StepProps {
  readonly plan: Plan;
  onChange(): void;
}

export function ReviewStep({ view, plan, checkout, wide, onChange }: ReviewStepProps) {
  const send = () => void checkout.act("consent/request");
  return (
    <div className="stack">
      <StepHeading title="Check your plan">
        To agree to it, you type a code that we send by SMS to the phone number that we have of you.
      </StepHeading>
      {wide ? null : <PlanDetails plan={plan} listed={true} />}
      <AgreementText view={view} plan={plan} />
      <div className="actions">
        <Button busy={checkout.busy === "consent/request"} busyText="Sending the code" onPress={send}>
          Send me the code
        </Button>
        <Button kind="quiet" onPress={onChange}>
          Choose another plan
        </Button>
      </div>
    </div>
  );
}
