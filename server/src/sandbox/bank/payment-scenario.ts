/** What the simulated bank does with an order. It follows from the order and the bank's condition, never from chance. */
import type { AccountQuestion, PaymentOrder } from "../../rails/bank.ts";
import { type ReferenceEnding, referenceEnding, unknownAccount } from "../magic-inputs.ts";
import type { BankCondition } from "./bank-condition.ts";
import { type PaymentStatus, responseCodes } from "./simulated-payment.ts";

export interface Scenario {
  readonly status: PaymentStatus;
  readonly responseCode: string;
  /** The work is done, and the answer to the first order is lost; a code if the switch at least says so. */
  readonly answerLost: { readonly nipCode: string | null } | null;
  /** The bank takes the payment back a little later. */
  readonly isReversed: boolean;
}

const plain: Scenario = { status: "paid", responseCode: responseCodes.paid, answerLost: null, isReversed: false };

const byEnding: Readonly<Record<ReferenceEnding, Scenario>> = {
  FAIL: { ...plain, status: "refused", responseCode: responseCodes.refused },
  PENDING: { ...plain, status: "in_progress", responseCode: responseCodes.in_progress },
  TIMEOUT: { ...plain, answerLost: { nipCode: null } },
  REVERSE: { ...plain, isReversed: true },
};

const timedOut = "97";
const invalidAccount = "07";

export function scenarioOf(order: PaymentOrder, condition: BankCondition): Scenario {
  if (condition === "down") return { ...plain, status: "unreached", responseCode: responseCodes.unreached };
  if (!accountExists(order)) return { ...plain, status: "refused", responseCode: invalidAccount };
  const scenario = scenarioFor(order);
  // Half of a degraded bank's answers are lost on the way: those of even sessions.
  const losesAnswer = condition === "degraded" && Number(order.sessionId.at(-1)) % 2 === 0;
  return losesAnswer ? { ...scenario, answerLost: { nipCode: timedOut } } : scenario;
}

/** Whether the bank takes a payment under this reference back once it has paid. */
export function isReversedLater({ reference }: Pick<PaymentOrder, "reference">): boolean {
  return scenarioFor({ reference }).isReversed;
}

function scenarioFor({ reference }: Pick<PaymentOrder, "reference">): Scenario {
  const ending = referenceEnding(reference);
  return ending === undefined ? plain : byEnding[ending];
}

export function accountExists({ accountNumber }: Pick<AccountQuestion, "accountNumber">): boolean {
  return accountNumber !== unknownAccount;
}
