import { useState } from "react";
import type { ApiProblem } from "../shared/call-api.ts";
import { Loading } from "../shared/loading.tsx";
import { Notice } from "../shared/notice.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { useStepFocus } from "../shared/use-step-focus.ts";
import { useWideScreen } from "../shared/use-wide-screen.ts";
import { CancelLink } from "./cancel-link.tsx";
import type { CheckoutView, Step } from "./checkout-view.ts";
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
  const [tenor, setTenor] = useState(() => firstChoice(view));
  const wide = useWideScreen();
  const step = changingPlan && view.step === "consent" ? "offer" : view.step;
  const plan = step === "offer" ? (view.offers.find((offer) => offer.tenor === tenor) ?? null) : view.loan;
  useStepFocus(step === "consent" && view.consent !== null ? "code" : step);
  const open = ["offer", "consent", "card"].includes(step);
  return (
    <PageFrame
      environment={view.environment}
      footer={open ? <CancelLink merchantName={view.merchantName} checkout={checkout} /> : null}
    >
      <div className="checkout">
        <OrderSummary view={view} plan={wide && hasPlan(step) ? plan : null} listed={step === "consent"} />
        <main className="panel stack">
          {open || step === "processing" ? <ProgressSteps step={step} /> : null}
          {view.status === "open" ? <Refused problem={checkout.problem} offline={checkout.failure} /> : null}
          <CurrentStep
            step={step}
            view={view}
            checkout={checkout}
            wide={wide}
            plan={plan}
            choose={setTenor}
            changePlan={setChangingPlan}
          />
        </main>
      </div>
    </PageFrame>
  );
}

/** What was chosen before, else three months: short enough to be cheap, long enough to be light. */
function firstChoice({ loan, offers }: CheckoutView): number {
  const usual = offers.find((offer) => offer.tenor === 3) ?? offers[0];
  return loan?.tenor ?? usual?.tenor ?? 0;
}

function hasPlan(step: Step): boolean {
  return ["offer", "consent", "card", "processing", "completed"].includes(step);
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
