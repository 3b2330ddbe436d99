import { useState } from "react";
import { Button } from "../shared/button.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import type { Agreement, Plan } from "./checkout-view.ts";
import { ConsentBox } from "./consent-box.tsx";
import { PlanDetails } from "./plan-details.tsx";
import type { StepProps } from "./step-props.ts";

interface ReviewStepProps extends StepProps {
  readonly plan: Plan;
  readonly agreement: Agreement;
  onChange(): void;
}

export function ReviewStep({ view, plan, agreement, checkout, wide, onChange }: ReviewStepProps) {
  const [ticked, setTicked] = useState(false);
  const [complaint, setComplaint] = useState<string | null>(null);
  const send = () => {
    if (ticked) return void checkout.act("consent/request", { agreed: true, termsHash: agreement.termsHash });
    setComplaint("Tick the box if you agree. Without it no code is sent.");
    document.getElementById("agree")?.focus();
  };
  return (
    <div className="stack">
      <StepHeading title="Check your plan">
        To agree to it, tick the box and type the code that we send by SMS to the phone number that we have of you.
      </StepHeading>
      {wide ? null : <PlanDetails view={view} plan={plan} listed={true} />}
      <ConsentBox
        statement={agreement.statement}
        ticked={ticked}
        complaint={complaint}
        onChange={(now) => {
          setTicked(now);
          setComplaint(null);
        }}
      />
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
