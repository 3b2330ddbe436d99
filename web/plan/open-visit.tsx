import { useEffect, useState } from "react";
import { Button } from "../shared/button.tsx";
import { formatMoment } from "../shared/calendar.ts";
import { ApiProblem, callApi } from "../shared/call-api.ts";
import { Notice } from "../shared/notice.tsx";
import { Outcome } from "../shared/outcome.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { stepHeadingId } from "../shared/step-heading.tsx";

const unheard = "This page shows nothing of your plan any more, but we could not tell the server that you left.";

interface OpenVisitProps {
  readonly token: string;
  readonly until: string;
  onLeft(): void;
}

/**
 * The customer has left, and the server does not know it. Nothing of the plan is shown any more, and a reload has
 * forgotten the visit; only this page still has its token, to end it when the line is back.
 */
export function OpenVisit({ token, until, onLeft }: OpenVisitProps) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  // The button that was pressed is gone, and this is not what its words promised.
  useEffect(() => document.getElementById(stepHeadingId)?.focus({ preventScroll: true }), []);
  const again = async () => {
    setBusy(true);
    const ended = await endVisit(token);
    setBusy(false);
    if (ended) onLeft();
    else setFailed(true);
  };
  return (
    <PageFrame environment={null}>
      <main className="panel panel-lone stack">
        <Outcome
          tone="bad"
          icon="warning"
          title="Your visit may still be open"
          text={`${unheard} The visit ends by itself on ${formatMoment(until)}.`}
        >
          {failed ? (
            <Notice tone="problem">
              <p>The server could still not be told. Check your connection and try again.</p>
            </Notice>
          ) : null}
          <Button busy={busy} busyText="Ending your visit" onPress={() => void again()}>
            End my visit now
          </Button>
        </Outcome>
      </main>
    </PageFrame>
  );
}

/** A visit that the server does not know is over. */
async function endVisit(token: string): Promise<boolean> {
  try {
    await callApi("/hosted/plan/visit/leave", { method: "POST", token });
    return true;
  } catch (error) {
    return error instanceof ApiProblem && error.opensNothing;
  }
}
