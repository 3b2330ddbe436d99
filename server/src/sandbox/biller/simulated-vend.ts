/**
 * A vend as the simulated biller sees it. The biller knows it by its request id, and one request is one delivery
 * however often the order for it arrives.
 *
 *   in_progress ──▶ delivered ──▶ reversed
 *        └────────▶ refused
 */

import { createHash } from "node:crypto";
import { keysOf } from "../../platform/keys-of.ts";
import type { Delivery, VendAnswer, VendOrder } from "../../rails/biller.ts";

export const vendTransitions = {
  in_progress: ["delivered", "refused"],
  delivered: ["reversed"],
  refused: [],
  reversed: [],
} as const satisfies Record<string, readonly string[]>;

export type VendStatus = keyof typeof vendTransitions;

export interface SimulatedVend {
  readonly sandbox: string;
  readonly requestId: string;
  readonly reference: string;
  readonly status: VendStatus;
  /** What the customer gets, or would get. */
  readonly delivery: Delivery;
  readonly attempts: number;
  /** In the sandbox's time: when a vend in progress is delivered at the latest, and when a package was. */
  readonly deliversAt: Date | null;
}

export function statusesBefore(to: VendStatus): VendStatus[] {
  const statuses = keysOf(vendTransitions);
  return statuses.filter((from) => (vendTransitions[from] as readonly string[]).includes(to));
}

export function answerOf({ status, delivery }: Pick<SimulatedVend, "status" | "delivery">): VendAnswer {
  if (status === "in_progress") return { outcome: "unknown", code: "in_progress" };
  if (status === "refused") {
    return { outcome: "failure", code: "vend_refused", message: "The biller refused to deliver." };
  }
  // A delivery that was taken back did happen; that it was taken back is told by a notice.
  return { outcome: "success", delivery };
}

/** Kobo for a kilowatt hour, before VAT. */
const tariffKobo = 20_950n;

/** Made up from the request, the same every time. */
export function deliveryFor({ requestId, category, meterType, amount }: VendOrder): Delivery {
  const digits = digitsOf(requestId);
  const receiptNumber = `${category.slice(0, 3).toUpperCase()}${digits.slice(20, 32)}`;
  if (category !== "electricity" || meterType !== "prepaid") return { token: null, units: null, receiptNumber };
  // VAT of 7.5 % is inside the amount; what is less than a hundredth of a unit is not delivered.
  const hundredths = (amount * 1000n * 100n) / (1075n * tariffKobo);
  const units = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
  return { token: digits.slice(0, 20), units, receiptNumber };
}

function digitsOf(requestId: string): string {
  const bytes = createHash("sha512").update(`delivery/${requestId}`).digest();
  return [...bytes].map((byte) => byte % 10).join("");
}
