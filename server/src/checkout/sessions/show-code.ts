import type { ConsentRequest } from "../consent/consent.ts";
import type { CheckoutView } from "./hosted-schemas.ts";

/** A code that was sent, as the pages count it down. Where it was sent to is told to nobody. */
export function showCode(sent: ConsentRequest | null): CheckoutView["consent"] {
  if (sent === null) return null;
  return {
    sentAt: sent.sentAt.toISOString(),
    expiresAt: sent.expiresAt.toISOString(),
    resendAt: sent.resendAt.toISOString(),
    attemptsRemaining: sent.attemptsRemaining,
  };
}
