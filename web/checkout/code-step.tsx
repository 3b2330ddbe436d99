import { useState } from "react";
import { Button } from "../shared/button.tsx";
import { formatCountdown } from "../shared/calendar.ts";
import type { ApiProblem } from "../shared/call-api.ts";
import { Notice } from "../shared/notice.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { useCountdown } from "../shared/use-countdown.ts";
import type { Agreement, Plan, SentCode } from "./checkout-view.ts";
import { CodeField } from "./code-field.tsx";
import { PlanDetails } from "./plan-details.tsx";
import { ResendCode } from "./resend-code.tsx";
import type { StepProps } from "./step-props.ts";
import type { Checkout } from "./use-checkout.ts";

interface CodeStepProps extends StepProps {
  readonly plan: Plan;
  readonly code: SentCode;
  readonly agreement: Agreement;
  onChange(): void;
}

export function CodeStep({ view, plan, code, agreement, checkout, wide, onChange }: CodeStepProps) {
  const secondsLeft = useCountdown(code.expiresAt, view.now);
  const dead = secondsLeft === 0 || code.attemptsRemaining === 0;
  return (
    <div className="stack">
      <StepHeading title="Type the code we sent you">
        It is in an SMS to the phone number that we have of you.{" "}
        {dead ? null : <>It expires in {formatCountdown(secondsLeft)}.</>}
      </StepHeading>
      {dead ? (
        <DeadCode code={code} problem={checkout.problem} />
      ) : (
        <CodeForm key={code.sentAt} checkout={checkout} sandbox={view.environment === "SANDBOX"} />
      )}
      <ResendCode {...{ code, agreement, checkout }} now={view.now} urgent={dead} />
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

interface CodeFormProps {
  readonly checkout: Checkout;
  readonly sandbox: boolean;
}

function CodeForm({ checkout, sandbox }: CodeFormProps) {
  const [otp, setOtp] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const refusal = checkout.problem?.code === "otp_invalid" ? checkout.problem : null;
  const submit = async () => {
    if (otp.length !== 6) return setComplaint("The code has 6 digits.");
    setComplaint(null);
    // Emptied before the answer is there: a refusal must not wipe out what is typed after it.
    setOtp("");
    await checkout.act("consent/verify", { otp });
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <CodeField value={otp} complaint={complaint} refusal={refusal} onChange={setOtp} />
      {sandbox ? (
        <Notice tone="sandbox">
          <p>
            Test mode: no SMS is sent. The code is <strong>123456</strong>.
          </p>
        </Notice>
      ) : null}
      <Button type="submit" busy={checkout.busy === "consent/verify"} busyText="Checking the code">
        Agree and continue
      </Button>
    </form>
  );
}

interface DeadCodeProps {
  readonly code: SentCode;
  readonly problem: ApiProblem | null;
}

/** For who comes back to it; after a try the refusal has just said the same. */
function DeadCode({ code, problem }: DeadCodeProps) {
  if (problem !== null && ["otp_invalid", "otp_expired", "otp_attempts_exceeded"].includes(problem.code)) return null;
  return (
    <Notice tone="warning">
      <p>
        {code.attemptsRemaining === 0
          ? "Too many wrong codes were typed, so this code no longer works. Ask for a new one."
          : "The code has expired. Ask for a new one."}
      </p>
    </Notice>
  );
}
