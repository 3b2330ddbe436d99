import { useState } from "react";
import type { ApiProblem } from "../shared/call-api.ts";
import { Loading } from "../shared/loading.tsx";
import { Notice } from "../shared/notice.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { useStepFocus } from "../shared/use-step-focus.ts";
import { CancelLink } from "./cancel-link.tsx";
import type { CheckoutView } from "./checkout-view.ts";
import { CurrentStep } from "./current-step.tsx";
import { NoWayIn } from "./no-way-in.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { problemText } from "./problem-text.ts";
import { ProgressSteps } from "./progress-steps.tsx";
import { type Checkout, useCheckout } from "./use-checkout.ts";

export function CheckoutPage({ token }: { readonly token: string | null }) {
  if (token === null) return <NoWayIn problem={null} />;
  return <OpenCheckout token={token} />;
}

function OpenCheckout({ token }: { readonly token: string }) {
  const checkout = useCheckout(token);
  const { view, failure } = checkout;
  if (view !== null) return <CheckoutSteps checkout={checkout} view={view} />;
  if (failure !== null) return <NoWayIn problem={failure} onRetry={checkout.reload} />;
  return (
    <PageFrame environment={null}>
      <Loading text="Loading your checkout" />
    </PageFrame>
  );
}

interface CheckoutStepsProps {
  readonly checkout: Checkout;
  readonly view: CheckoutView;
}

function CheckoutSteps({ checkout, view }: CheckoutStepsProps) {
  const [changingPlan, setChangingPlan] = useState(false);
  const step = changingPlan && view.step === "consent" ? "offer" : view.step;
  useStepFocus(step === "consent" && view.consent !== null ? "code" : step);
  const open = ["offer", "consent", "card"].includes(step);
  return (
    <PageFrame
      environment={view.environment}
      footer={open ? <CancelLink merchantName={view.merchantName} checkout={checkout} /> : null}
    >
      <div className="checkout">
        <OrderSummary view={view} />
        <main className="panel stack">
          {open || step === "processing" ? <ProgressSteps step={step} /> : null}
          <Refused problem={checkout.problem} offline={checkout.failure} />
          <CurrentStep step={step} view={view} checkout={checkout} changePlan={setChangingPlan} />
        </main>
      </div>
    </PageFrame>
  );
}

interface RefusedProps {
  readonly problem: ApiProblem | null;
  /** The view could not be read again; what is shown may be old. */
  readonly offline: ApiProblem | null;
}

function Refused({ problem, offline }: RefusedProps) {
  const shown = problem ?? offline;
  if (shown === null) return null;
  const { title, text } = problemText(shown);
  return (
    <Notice tone="problem" title={title}>
      <p>{text}</p>
    </Notice>
  );
}
