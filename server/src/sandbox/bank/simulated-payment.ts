/**
 * A payment as the simulated bank sees it. The bank knows it by its session id, and one session is one payment however
 * often the order for it arrives.
 *
 *   unreached ──▶ in_progress ──▶ paid ──▶ reversed
 *       │              └────────▶ refused
 *       └──▶ paid, refused
 *
 * `unreached` means that the receiving bank was away: the order was seen, no money moved, and the next order under the
 * same session is treated as the first.
 */
import { keysOf } from "../../platform/keys-of.ts";
import type { PaymentAnswer } from "../../rails/bank.ts";
import { answerFromNipCode } from "../../rails/nip-codes.ts";

export const paymentTransitions = {
  unreached: ["in_progress", "paid", "refused"],
  in_progress: ["paid", "refused"],
  paid: ["reversed"],
  refused: [],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;

export type PaymentStatus = keyof typeof paymentTransitions;

export interface SimulatedPayment {
  readonly sandbox: string;
  readonly sessionId: string;
  readonly nipCode: string;
  readonly reference: string;
  readonly status: PaymentStatus;
  readonly responseCode: string;
  readonly attempts: number;
  /** In the sandbox's time: when a payment in progress is paid at the latest. */
  readonly paysAt: Date | null;
}

export const responseCodes = {
  unreached: "91",
  in_progress: "09",
  paid: "00",
  refused: "05",
  // The payment happened; that it was taken back is told by a notice, not by the answer about the payment.
  reversed: "00",
} as const satisfies Record<PaymentStatus, string>;

export function statusesBefore(to: PaymentStatus): PaymentStatus[] {
  const statuses = keysOf(paymentTransitions);
  return statuses.filter((from) => (paymentTransitions[from] as readonly string[]).includes(to));
}

export function answerOf(payment: Pick<SimulatedPayment, "responseCode">): PaymentAnswer {
  return answerFromNipCode(payment.responseCode);
}
