import type { SentCode } from "../pages/schemas.ts";
import type { ConsentRequest } from "./consent.ts";

/** A code that was sent, as the pages count it down. Where it was sent to is told to nobody. */
export function showCode(sent: ConsentRequest | null): SentCode | null {
  if (sent === null) return null;
  return {
    sentAt: sent.sentAt.toISOString(),
    expiresAt: sent.expiresAt.toISOString(),
    resendAt: sent.resendAt.toISOString(),
    attemptsRemaining: sent.attemptsRemaining,
  };
}
