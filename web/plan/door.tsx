import { useMemo } from "react";
import { Button } from "../shared/button.tsx";
import { ApiProblem } from "../shared/call-api.ts";
import { CodeEntry } from "../shared/code-entry.tsx";
import { Icon } from "../shared/icons.tsx";
import { Loading } from "../shared/loading.tsx";
import { MerchantMark } from "../shared/merchant-mark.tsx";
import { Notice } from "../shared/notice.tsx";
import { Outcome } from "../shared/outcome.tsx";
import { PageFrame } from "../shared/page-frame.tsx";
import { StepHeading } from "../shared/step-heading.tsx";
import { type PageView, usePageView, type ViewSource } from "../shared/use-page-view.ts";
import { useStepFocus } from "../shared/use-step-focus.ts";
import type { DoorView } from "./plan-view.ts";
import { problemText } from "./problem-text.ts";
import type { Farewell } from "./use-visit.ts";

type DoorAction = "code" | "enter";

interface DoorProps {
  readonly token: string;
  readonly farewell: Farewell | null;
  onEnter(visitToken: string): void;
}

export function Door({ token, farewell, onEnter }: DoorProps) {
  const source = useMemo<ViewSource<DoorView>>(
    () => ({
      path: "/hosted/plan",
      isWaiting: () => false,
      take(answer, action) {
        if (action !== "enter") return answer as DoorView;
        onEnter((answer as { readonly visitToken: string }).visitToken);
        return null;
      },
    }),
    [onEnter],
  );
  const door = usePageView<DoorView, DoorAction>(token, source);
  if (door.view !== null) return <OpenDoor door={door} view={door.view} farewell={farewell} />;
  if (door.failure !== null) return <ClosedDoor problem={door.failure} onRetry={door.reload} />;
  return (
    <PageFrame environment={null}>
      <Loading text="Loading your plan" />
    </PageFrame>
  );
}

interface OpenDoorProps {
  readonly door: PageView<DoorView, DoorAction>;
  readonly view: DoorView;
  readonly farewell: Farewell | null;
}

function OpenDoor({ door, view, farewell }: OpenDoorProps) {
  const { code } = view;
  useStepFocus(code === null ? "door" : "code");
  const send = () => void door.act("code");
  const problem = door.problem ?? door.failure;
  return (
    <PageFrame environment={view.environment}>
      <main className="panel panel-lone stack">
        <MerchantMark name={view.merchantName} logo={view.merchantLogo} />
        {problem === null ? <Goodbye why={farewell} /> : <Refused problem={problem} />}
        {code === null ? (
          <Knock merchantName={view.merchantName} busy={door.busy === "code"} onSend={send} />
        ) : (
          <CodeEntry
            code={code}
            now={view.now}
            problem={door.problem}
            onSend={send}
            sandbox={view.environment === "SANDBOX"}
            busy={door.busy === "enter" ? "checking" : door.busy === "code" ? "sending" : null}
            submitText="See my plan"
            onSubmit={(otp) => void door.act("enter", { otp })}
          />
        )}
      </main>
    </PageFrame>
  );
}

interface KnockProps {
  readonly merchantName: string;
  readonly busy: boolean;
  onSend(): void;
}

function Knock({ merchantName, busy, onSend }: KnockProps) {
  return (
    <>
      <StepHeading title="Your payment plan">
        See what is left to pay at {merchantName}, pay early, change your card and find your receipts.
      </StepHeading>
      <ul className="promises">
        <li>
          <Icon name="message" />
          <span>We send a code to the phone number that we have of you. It shows that it is you.</span>
        </li>
        <li>
          <Icon name="lock" />
          <span>Nobody who finds this link can see anything without the code.</span>
        </li>
      </ul>
      <Button busy={busy} busyText="Sending the code" onPress={onSend}>
        Send me the code
      </Button>
    </>
  );
}

function Goodbye({ why }: { readonly why: Farewell | null }) {
  if (why === null) return null;
  return (
    <Notice tone="info">
      <p role="status">
        {why === "left" ? "You have left your plan." : "Your visit has ended, to keep your plan safe."} A new code lets
        you in again.
      </p>
    </Notice>
  );
}

export function Refused({ problem }: { readonly problem: ApiProblem }) {
  const { title, text } = problemText(problem);
  return (
    <Notice tone="problem" title={title}>
      <p>{text}</p>
    </Notice>
  );
}

interface ClosedDoorProps {
  /** Null when the address itself is not complete. */
  readonly problem: ApiProblem | null;
  readonly onRetry?: () => Promise<void>;
}

const incomplete = new ApiProblem({
  status: 401,
  code: "invalid_page_token",
  message: "",
  errors: [],
  data: {},
  waitSeconds: null,
});

export function ClosedDoor({ problem, onRetry }: ClosedDoorProps) {
  const { title, text } = problemText(problem ?? incomplete);
  const closed = problem === null || problem.opensNothing;
  return (
    <PageFrame environment={null}>
      <main className="panel panel-lone">
        <Outcome tone="bad" icon="warning" title={title} text={text}>
          {closed || onRetry === undefined ? null : <Button onPress={() => void onRetry()}>Try again</Button>}
        </Outcome>
      </main>
    </PageFrame>
  );
}
