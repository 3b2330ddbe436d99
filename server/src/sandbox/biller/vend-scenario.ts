/** What the simulated biller does with an order. It follows from the order, never from chance. */
import type { CustomerQuestion } from "../../rails/biller.ts";
import { type ReferenceEnding, referenceEnding, unknownBettor, unknownSmartCard } from "../magic-inputs.ts";
import type { VendStatus } from "./simulated-vend.ts";

export interface VendScenario {
  readonly status: VendStatus;
  /** The work is done, and the answer to the first order is lost. */
  readonly answerLost: boolean;
  /** The biller takes the delivery back a little later. */
  readonly isReversed: boolean;
}

const plain: VendScenario = { status: "delivered", answerLost: false, isReversed: false };

const byEnding: Readonly<Record<ReferenceEnding, VendScenario>> = {
  FAIL: { ...plain, status: "refused" },
  PENDING: { ...plain, status: "in_progress" },
  TIMEOUT: { ...plain, answerLost: true },
  REVERSE: { ...plain, isReversed: true },
};

export function vendScenarioOf({ reference }: { readonly reference: string }): VendScenario {
  const ending = referenceEnding(reference);
  return ending === undefined ? plain : byEnding[ending];
}

/** Smart cards of zeros and one betting customer exist nowhere. */
export function customerExists({ category, customer }: Pick<CustomerQuestion, "category" | "customer">): boolean {
  if (category === "tv") return !unknownSmartCard.test(customer);
  return category !== "betting" || customer !== unknownBettor;
}
