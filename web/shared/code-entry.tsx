import { useState } from "react";
import { Button } from "./button.tsx";
import { formatCountdown } from "./calendar.ts";
import type { ApiProblem } from "./call-api.ts";
import { CodeField } from "./code-field.tsx";
import { Notice } from "./notice.tsx";
import type { SentCode } from "./page-data.ts";
import { ResendCode } from "./resend-code.tsx";
import { StepHeading } from "./step-heading.tsx";
import { useCountdown } from "./use-countdown.ts";

interface CodeEntryProps {
  readonly code: SentCode;
  readonly now: string;
  readonly sandbox: boolean;
  /** Why the last try, or the last wish for a code, was refused. */
  readonly problem: ApiProblem | null;
  readonly busy: "checking" | "sending" | null;
  /** What the right code does. */
  readonly submitText: string;
  onSubmit(otp: string): void;
  onSend(): void;
}

/** A code was sent: it is typed in here, or another is asked for. */
export function CodeEntry(props: CodeEntryProps) {
  const { code, now, problem, busy, onSend } = props;
  const secondsLeft = useCountdown(code.expiresAt, now);
  const dead = secondsLeft === 0 || code.attemptsRemaining === 0;
  return (
    <>
      <StepHeading title="Type the code we sent you">
        It is in an SMS to the phone number that we have of you.{" "}
        {dead ? null : <>It expires in {formatCountdown(secondsLeft)}.</>}
      </StepHeading>
      {dead ? <DeadCode code={code} problem={problem} /> : <CodeForm key={code.sentAt} {...props} />}
      <ResendCode code={code} now={now} onSend={onSend} busy={busy === "sending"} urgent={dead} />
    </>
  );
}

function CodeForm({ sandbox, problem, busy, submitText, onSubmit }: CodeEntryProps) {
  const [otp, setOtp] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const refusal = problem?.code === "otp_invalid" ? problem : null;
  const submit = () => {
    if (otp.length !== 6) return setComplaint("The code has 6 digits.");
    setComplaint(null);
    // Emptied before the answer is there: a refusal must not wipe out what is typed after it.
    setOtp("");
    onSubmit(otp);
  };
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
      <Button type="submit" busy={busy === "checking"} busyText="Checking the code">
        {submitText}
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
