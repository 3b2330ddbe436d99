import { CardStep } from "./card-step.tsx";
import type { Plan, Step } from "./checkout-view.ts";
import { CodeStep } from "./code-step.tsx";
import { CompletedStep } from "./completed-step.tsx";
import { EndedStep, NotEligibleStep } from "./ended-step.tsx";
import { OfferStep } from "./offer-step.tsx";
import { ProcessingStep } from "./processing-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import type { StepProps } from "./step-props.ts";

interface CurrentStepProps extends StepProps {
  readonly step: Step;
  readonly plan: Plan | null;
  choose(tenor: number): void;
  changePlan(changing: boolean): void;
}

export function CurrentStep({ step, plan, choose, changePlan, ...shared }: CurrentStepProps) {
  const { view, checkout } = shared;
  switch (step) {
    case "offer":
      return <OfferStep {...shared} plan={plan} onChoose={choose} onTaken={() => changePlan(false)} />;
    case "consent":
      if (plan === null || view.agreement === null) return null;
      return view.consent === null ? (
        <ReviewStep
          // Another text is another question: what was ticked before does not answer it.
          key={view.agreement.termsHash}
          {...shared}
          plan={plan}
          agreement={view.agreement}
          onChange={() => changePlan(true)}
        />
      ) : (
        <CodeStep
          {...shared}
          plan={plan}
          agreement={view.agreement}
          code={view.consent}
          onChange={() => changePlan(true)}
        />
      );
    case "card":
      return <CardStep view={view} checkout={checkout} />;
    case "processing":
      return <ProcessingStep view={view} />;
    case "completed":
      return <CompletedStep view={view} />;
    case "not_eligible":
      return <NotEligibleStep view={view} checkout={checkout} />;
    case "expired":
    case "cancelled":
      return <EndedStep view={view} step={step} />;
  }
}
