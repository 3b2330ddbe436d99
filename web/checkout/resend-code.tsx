import { Button } from "../shared/button.tsx";
import { formatCountdown } from "../shared/calendar.ts";
import { useCountdown } from "../shared/use-countdown.ts";
import type { Agreement, SentCode } from "./checkout-view.ts";
import type { Checkout } from "./use-checkout.ts";

interface ResendCodeProps {
  readonly code: SentCode;
  /** Ticked when the first code was asked for: the code is shown only while the text is the same. */
  readonly agreement: Agreement;
  readonly now: string;
  readonly checkout: Checkout;
  /** The last code is of no use any more: a new one is the only way on. */
  readonly urgent: boolean;
}

export function ResendCode({ code, agreement, now, checkout, urgent }: ResendCodeProps) {
  const wait = useCountdown(code.resendAt, now);
  const busy = checkout.busy === "consent/request";
  const send = () => void checkout.act("consent/request", { agreed: true, termsHash: agreement.termsHash });
  return (
    <div className="resend">
      {urgent ? null : <span>No message yet?</span>}
      {wait > 0 ? (
        <span>You can ask for a new code in {formatCountdown(wait)}.</span>
      ) : (
        <Button kind={urgent ? "primary" : "link"} busy={busy} busyText="Sending a new code" onPress={send}>
          Send a new code
        </Button>
      )}
    </div>
  );
}
