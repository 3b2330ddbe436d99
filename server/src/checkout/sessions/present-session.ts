import { nairaNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { CheckoutSession, OrderItem } from "./checkout-session.ts";
import type { PresentedSession } from "./schemas.ts";

/** `url` holds what opens the page, so it is shown while there is something to do there and never goes into an event. */
export function presentSession(
  session: CheckoutSession,
  { kind, url }: { readonly kind: EnvironmentKind; readonly url: string | null },
): PresentedSession {
  return {
    id: session.id,
    url: session.status === "open" ? url : null,
    status: session.status,
    customer_id: session.customerId,
    loan_id: session.loanId,
    order_reference: session.orderReference,
    amount: nairaNumber(session.amount),
    items: presentItems(session.items),
    currency: "NGN",
    bank_account_no: session.bankAccountNo,
    bank_code: session.bankCode,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    environment: kind,
    expires_at: session.expiresAt.toISOString(),
    created_at: session.createdAt.toISOString(),
    updated_at: session.updatedAt.toISOString(),
  };
}

/** The same to the merchant and to the customer's page. */
export function presentItems(items: readonly OrderItem[]): PresentedSession["items"] {
  return items.map(({ name, quantity, amount }) => ({ name, quantity, amount: nairaNumber(amount) }));
}
