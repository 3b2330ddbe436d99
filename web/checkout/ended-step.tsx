import { Button } from "../shared/button.tsx";
import { Outcome } from "../shared/outcome.tsx";
import { ReturnLink } from "../shared/return-link.tsx";
import type { CheckoutView } from "./checkout-view.ts";
import { isOnlyPending, reasonText } from "./reason-text.ts";
import type { Checkout } from "./use-checkout.ts";

/** Who cancels was told that this leads back. */
const returnAfterSeconds = 4;

const endings = {
  expired: {
    icon: "clock",
    title: "This checkout has expired",
    text: "It was open for too long. Nothing was charged. Start again from the shop if you still want your order.",
  },
  cancelled: {
    icon: "cross",
    title: "You cancelled this checkout",
    text: "Nothing was charged, and there is nothing to pay back.",
  },
} as const;

interface EndedStepProps {
  readonly view: CheckoutView;
  readonly step: keyof typeof endings;
}

export function EndedStep({ view, step }: EndedStepProps) {
  const { icon, title, text } = endings[step];
  const label = `Return to ${view.merchantName}`;
  return (
    <Outcome tone="neutral" icon={icon} title={title} text={text}>
      {step === "expired" ? (
        <ReturnLink url={view.returnUrl}>{label}</ReturnLink>
      ) : (
        <div className="actions">
          <ReturnLink url={view.returnUrl} afterSeconds={returnAfterSeconds}>
            {label}
          </ReturnLink>
          <p className="small-print centred">We take you back there in a few seconds.</p>
        </div>
      )}
    </Outcome>
  );
}

interface NotEligibleStepProps {
  readonly view: CheckoutView;
  readonly checkout: Checkout;
}

/** The reasons are sentences that say what can be done; a bare refusal would help nobody. */
export function NotEligibleStep({ view, checkout }: NotEligibleStepProps) {
  const waiting = isOnlyPending(view);
  const cancel = () => void checkout.act("cancel");
  return (
    <Outcome
      tone="neutral"
      icon={waiting ? "clock" : "info"}
      title={waiting ? "We are checking your details" : "We cannot offer you a plan for this order"}
      text={`Nothing was charged, and you can still pay ${view.merchantName} in another way.`}
    >
      <ul className="reasons">
        {view.eligibility.reasons.map((reason) => (
          <li key={reason.code}>{reasonText(view, reason)}</li>
        ))}
      </ul>
      <Button busy={checkout.busy === "cancel"} busyText="One moment" onPress={cancel}>
        {`Return to ${view.merchantName}`}
      </Button>
    </Outcome>
  );
}
