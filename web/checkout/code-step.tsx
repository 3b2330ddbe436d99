import { Button } from "../shared/button.tsx";
import { CodeEntry } from "../shared/code-entry.tsx";
import type { SentCode } from "../shared/page-data.ts";
import type { Agreement, Plan } from "./checkout-view.ts";
import { PlanDetails } from "./plan-details.tsx";
import type { StepProps } from "./step-props.ts";
import type { Action } from "./use-checkout.ts";

interface CodeStepProps extends StepProps {
  readonly plan: Plan;
  readonly code: SentCode;
  /** Ticked when the first code was asked for: the code is shown only while the text is the same. */
  readonly agreement: Agreement;
  onChange(): void;
}

export function CodeStep({ view, plan, code, agreement, checkout, wide, onChange }: CodeStepProps) {
  return (
    <div className="stack">
      <CodeEntry
        code={code}
        now={view.now}
        problem={checkout.problem}
        busy={busyWith(checkout.busy)}
        sandbox={view.environment === "SANDBOX"}
        submitText="Agree and continue"
        onSubmit={(otp) => void checkout.act("consent/verify", { otp })}
        onSend={() => void checkout.act("consent/request", { agreed: true, termsHash: agreement.termsHash })}
      />
      <div className="agreement">
        <h2>What you agree to</h2>
        <p className="small-print">{agreement.statement}</p>
        {wide ? null : <PlanDetails view={view} plan={plan} listed={true} />}
        <Button kind="link" onPress={onChange}>
          Choose another plan
        </Button>
      </div>
    </div>
  );
}

function busyWith(action: Action | null): "checking" | "sending" | null {
  if (action === "consent/verify") return "checking";
  return action === "consent/request" ? "sending" : null;
}
