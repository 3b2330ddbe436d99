import { useEffect, useState } from "react";
import { Button } from "../shared/button.tsx";
import { Loading } from "../shared/loading.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { useCountdown } from "../shared/use-countdown.ts";
import { useStepFocus } from "../shared/use-step-focus.ts";
import { AboutLoan } from "./about-loan.tsx";
import { ClosedDoor } from "./door.tsx";
import { PaymentList } from "./payment-list.tsx";
import { PlanSchedule } from "./plan-schedule.tsx";
import { PlanSummary } from "./plan-summary.tsx";
import type { PlanView } from "./plan-view.ts";
import { Receipt } from "./receipt.tsx";
import { StatusPanel } from "./status-panel.tsx";
import { type Plan, usePlan } from "./use-plan.ts";
import type { Left } from "./use-visit.ts";

interface PlanVisitProps {
  readonly token: string;
  onEnd(left: Left): void;
}

export function PlanVisit({ token, onEnd }: PlanVisitProps) {
  const plan = usePlan(token);
  const { view, failure } = plan;
  const over = view === null && failure?.opensNothing === true;
  useEffect(() => {
    if (over) onEnd({ why: "ended" });
  }, [over, onEnd]);
  if (view !== null) return <OpenPlan plan={plan} view={view} onEnd={onEnd} />;
  if (failure !== null && !over) return <ClosedDoor problem={failure} onRetry={plan.reload} />;
  return (
    <PageFrame environment={null}>
      <Loading text="Loading your plan" />
    </PageFrame>
  );
}

interface OpenPlanProps {
  readonly plan: Plan;
  readonly view: PlanView;
  onEnd(left: Left): void;
}

function OpenPlan({ plan, view, onEnd }: OpenPlanProps) {
  const [receiptId, setReceiptId] = useState<string | null>(null);
  const receipt = view.payments.find(({ id }) => id === receiptId);
  useEndOfVisit(view, plan.reload);
  useStepFocus(receipt === undefined ? "plan" : "receipt");
  const leave = async () => {
    const { taken, problem } = await plan.act("leave");
    // Whatever the server said, this browser forgets the visit. It says so only where the visit is over.
    onEnd(taken || problem?.opensNothing === true ? { why: "left" } : { why: "open", until: view.expiresAt });
  };
  return (
    <PageFrame
      environment={view.environment}
      footer={
        <Button kind="link" busy={plan.busy === "leave"} busyText="Leaving" onPress={() => void leave()}>
          Leave this page
        </Button>
      }
    >
      {receipt === undefined ? (
        <main className="plan-page">
          <PlanSummary view={view} />
          <div className="plan-main">
            <StatusPanel plan={plan} view={view} onReceipt={setReceiptId} />
            <PlanSchedule view={view} />
            <PaymentList payments={view.payments} onOpen={setReceiptId} />
          </div>
          <AboutLoan view={view} />
        </main>
      ) : (
        <Receipt view={view} payment={receipt} onBack={() => setReceiptId(null)} />
      )}
    </PageFrame>
  );
}

/** A forgotten tab asks once more when its time is over, and is shown the door. */
function useEndOfVisit({ expiresAt, now }: PlanView, reload: () => Promise<void>): void {
  const over = useCountdown(expiresAt, now) === 0;
  useEffect(() => {
    if (over) void reload();
  }, [over, reload]);
}
