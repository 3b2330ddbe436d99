/** Deciding the outcome of a payout by hand, in a sandbox: the bank's books follow, so that both tell the same story. */
import { type Caller, keyRoute, type Route, type Write, type Written } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { PaymentOrder } from "../rails/bank.ts";
import type { OrderKey } from "../rails/order.ts";
import { transferProblem } from "./errors.ts";
import { type PresentedTransfer, presentTransfer } from "./present-transfer.ts";
import { transferData } from "./schemas.ts";
import { steerTransfer, wrongState } from "./steer-transfer.ts";
import { canMove, type Transfer } from "./transfer.ts";
import { orderOf } from "./transfer-order.ts";
import { findPayout } from "./transfer-store.ts";

export interface TransferSandboxDependencies {
  /** Puts the payment into the bank's books as decided; false when it has gone another way there. */
  decidePayment(order: PaymentOrder, to: "paid" | "refused" | "reversed"): Promise<boolean>;
}

const ways = {
  complete: {
    to: "completed",
    bank: "paid",
    failure: null,
    summary: "Complete a payout",
    description: "The bank pays a payout that is in processing, such as one whose reference ends with _PENDING.",
  },
  fail: {
    to: "failed",
    bank: "refused",
    failure: { code: "nip_05", message: "The bank does not honour this payment" },
    summary: "Fail a payout",
    description: "The bank refuses a payout that is not final yet. Amount and fees come back.",
  },
  reverse: {
    to: "reversed",
    bank: "reversed",
    failure: { code: "reversed_by_bank", message: "The bank returned the payment." },
    summary: "Reverse a payout",
    description: "The bank returns a completed payout. Amount and fees come back.",
  },
} as const;

type Way = (typeof ways)[keyof typeof ways];

export function transferSandboxRoutes(deps: TransferSandboxDependencies): Route[] {
  return Object.entries(ways).map(([word, way]) => steerRoute(deps, word, way));
}

function steerRoute(deps: TransferSandboxDependencies, word: string, way: Way): Route {
  return keyRoute({
    method: "POST",
    path: `/sandbox/transfers/{id}/${word}`,
    operationId: `${word}SandboxTransfer`,
    tag: "Sandbox",
    scope: "sandbox:write",
    sandboxOnly: true,
    summary: way.summary,
    description: way.description,
    params: IdParams,
    reply: { status: 200, message: `Transfer ${way.to}.`, data: transferData },
    problems: ["transfer_not_found", "invalid_state"],
    handle: ({ caller, params, write }) => steer(deps, caller, params.id, way, write),
  });
}

/** Thrown out of a transaction that has found what to decide: the bank is told outside of it. */
class Undecided extends Error {
  readonly transfer: Transfer;
  constructor(transfer: Transfer) {
    super("this payout is to be decided");
    this.transfer = transfer;
  }
}

async function steer(
  deps: TransferSandboxDependencies,
  { environmentId, kind }: Caller,
  id: string,
  way: Way,
  write: Write,
): Promise<Written<PresentedTransfer>> {
  try {
    return await write(async (tx) => {
      const found = await findPayout(tx, id);
      if (found === undefined) throw transferProblem("transfer_not_found");
      throw canMove(found.status, way.to) ? new Undecided(found) : wrongState(found);
    });
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    await tellBank(deps, { environmentId, environment: kind, id }, error.transfer, way);
  }
  return write(async (tx) => {
    const now = await findPayout(tx, id);
    // A worker that asked the bank meanwhile has booked the same.
    const settled =
      now?.status === way.to ? now : await steerTransfer(tx, { ...way, id, environment: kind, from: null });
    return { data: presentTransfer(settled, kind) };
  });
}

async function tellBank(deps: TransferSandboxDependencies, key: OrderKey, transfer: Transfer, way: Way): Promise<void> {
  // The bank has not heard of a payout that is still pending.
  if (transfer.sessionId === null) return;
  if (!(await deps.decidePayment(orderOf(key, transfer), way.bank))) throw wrongState(transfer);
}
