/** A new payment order, with an id and an amount that no other has. */
import { kobo } from "../../src/money/kobo.ts";
import type { PaymentOrder } from "../../src/rails/bank.ts";

let made = 0;

export function paymentOrder(changes: Partial<PaymentOrder> = {}): PaymentOrder {
  made += 1;
  return {
    environmentId: "0198f000-0000-7000-8000-000000000001",
    sessionId: `9992012611160915${String(made).padStart(14, "0")}`,
    nipCode: "000013",
    accountNumber: "0123456789",
    accountName: "Adaeze Okafor",
    amount: kobo(250_000n + BigInt(made)),
    narration: "rent",
    reference: `order-${made}`,
    ...changes,
  };
}
