import { Button } from "./button.tsx";
import { formatCountdown } from "./calendar.ts";
import type { SentCode } from "./page-data.ts";
import { useCountdown } from "./use-countdown.ts";

interface ResendCodeProps {
  readonly code: SentCode;
  readonly now: string;
  readonly busy: boolean;
  /** The last code is of no use any more: a new one is the only way on. */
  readonly urgent: boolean;
  onSend(): void;
}

export function ResendCode({ code, now, busy, urgent, onSend }: ResendCodeProps) {
  const wait = useCountdown(code.resendAt, now);
  return (
    <div className="resend">
      {urgent ? null : <span>No message yet?</span>}
      {wait > 0 ? (
        <span>You can ask for a new code in {formatCountdown(wait)}.</span>
      ) : (
        <Button kind={urgent ? "primary" : "link"} busy={busy} busyText="Sending a new code" onPress={onSend}>
          Send a new code
        </Button>
      )}
    </div>
  );
}
