import { CardStep } from "./card-step.tsx";
import type { CheckoutView, Step } from "./checkout-view.ts";
import { CodeStep } from "./code-step.tsx";
import { CompletedStep } from "./completed-step.tsx";
import { EndedStep, NotEligibleStep } from "./ended-step.tsx";
import { OfferStep } from "./offer-step.tsx";
import { ProcessingStep } from "./processing-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import type { Checkout } from "./use-checkout.ts";

interface CurrentStepProps {
  readonly step: Step;
  readonly view: CheckoutView;
  readonly checkout: Checkout;
  changePlan(changing: boolean): void;
}

export function CurrentStep({ step, view, checkout, changePlan }: CurrentStepProps) {
  switch (step) {
    case "offer":
      return <OfferStep view={view} checkout={checkout} onChosen={() => changePlan(false)} />;
    case "consent":
      if (view.loan === null) return null;
      return view.consent === null ? (
        <ReviewStep view={view} loan={view.loan} checkout={checkout} onChange={() => changePlan(true)} />
      ) : (
        <CodeStep {...{ view, checkout, loan: view.loan, code: view.consent }} onChange={() => changePlan(true)} />
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
