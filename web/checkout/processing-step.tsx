import { formatNaira } from "../shared/naira.ts";
import { StepHeading } from "../shared/step-heading.tsx";
import type { CheckoutView } from "./checkout-view.ts";

export function ProcessingStep({ view }: { readonly view: CheckoutView }) {
  return (
    <div className="waiting">
      <span className="spinner spinner-large" aria-hidden="true" />
      <div role="status">
        {view.loan?.status === "pending_card" ? (
          <StepHeading title="Checking your details">
            The lender checks your details before it pays {view.merchantName}. This can take up to a day. You can close
            this page: the same link shows you how it went.
          </StepHeading>
        ) : (
          <StepHeading title={`Paying ${view.merchantName}`}>
            We are sending {formatNaira(view.amount)}. This takes a few seconds. You can close this page: the payment
            goes on, and the same link shows you how it went.
          </StepHeading>
        )}
      </div>
    </div>
  );
}
