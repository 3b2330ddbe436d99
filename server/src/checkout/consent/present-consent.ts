import type { ConsentRecord, ConsentRequest } from "./consent.ts";
import type { PresentedConsent } from "./schemas.ts";
import type { ConsentTerms } from "./terms.ts";

export function presentRequest({ subject, channel, destination, expiresAt, resendAt }: ConsentRequest) {
  return {
    loan_id: subject.id,
    consent_status: "pending_consent" as const,
    channel,
    destination,
    expires_at: expiresAt.toISOString(),
    resend_after: resendAt.toISOString(),
  };
}

export function presentConsent(record: ConsentRecord): PresentedConsent {
  return {
    id: record.id,
    loan_id: record.loanId,
    customer_id: record.customerId,
    consent_status: "consented",
    channel: record.channel,
    destination: record.destination,
    message_id: record.messageId,
    terms: presentTerms(record.terms),
    schedule_hash: record.scheduleHash.toString("hex"),
    requested_at: record.requestedAt.toISOString(),
    consented_at: record.consentedAt.toISOString(),
  };
}

function presentTerms({ schedule, conditions, ...terms }: ConsentTerms): PresentedConsent["terms"] {
  return { ...terms, schedule: [...schedule], ...(conditions === undefined ? {} : { conditions: [...conditions] }) };
}
