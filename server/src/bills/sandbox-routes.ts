/** Deciding the outcome of a bill by hand, in a sandbox: the biller's books follow, so that both tell the same story. */
import type { Tx } from "../platform/database/database.ts";
import { type Caller, keyRoute, type Route, type Write, type Written } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { Delivery, VendOrder } from "../rails/biller.ts";
import type { Bill } from "./bill.ts";
import { orderOf } from "./bill-order.ts";
import { findBill } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { type PresentedBill, presentBill } from "./present-bill.ts";
import { billData } from "./schemas.ts";
import { startSending } from "./settle-store.ts";
import { reversedByBiller, steerBill, wrongState } from "./steer-bill.ts";

export interface BillSandboxDependencies {
  /** Puts the vend into the biller's books as decided; null when it has gone another way there. */
  decideVend(order: VendOrder, to: "delivered" | "refused" | "reversed"): Promise<Delivery | null>;
}

const ways = {
  complete: {
    to: "successful",
    from: ["pending", "processing"],
    biller: "delivered",
    failure: null,
    summary: "Complete a bill",
    description: "The biller delivers a bill that is not final yet, such as one whose reference ends with _PENDING.",
  },
  fail: {
    to: "failed",
    from: ["pending", "processing"],
    biller: "refused",
    failure: { code: "vend_refused", message: "The biller refused to deliver." },
    summary: "Fail a bill",
    description: "The biller refuses a bill that is not final yet. Amount and fee come back.",
  },
  reverse: {
    to: "reversed",
    from: ["successful"],
    biller: "reversed",
    failure: reversedByBiller,
    summary: "Reverse a bill",
    description: "The biller takes a delivery back. Amount and fee come back, the commission is taken back.",
  },
} as const;

type Way = (typeof ways)[keyof typeof ways];

export function billSandboxRoutes(deps: BillSandboxDependencies): Route[] {
  return Object.entries(ways).map(([word, way]) => steerRoute(deps, word, way));
}

function steerRoute(deps: BillSandboxDependencies, word: string, way: Way): Route {
  return keyRoute({
    method: "POST",
    path: `/sandbox/bills/{id}/${word}`,
    operationId: `${word}SandboxBill`,
    tag: "Sandbox",
    scope: "sandbox:write",
    sandboxOnly: true,
    summary: way.summary,
    description: way.description,
    params: IdParams,
    reply: { status: 200, message: `Bill ${way.to}.`, data: billData },
    problems: ["bill_not_found", "invalid_state"],
    handle: ({ caller, params, write }) => steer(deps, caller, params.id, way, write),
  });
}

/** Thrown out of a transaction that has found what to decide: the biller is told outside of it. */
class Undecided extends Error {
  readonly bill: Bill;
  constructor(bill: Bill) {
    super("this bill is to be decided");
    this.bill = bill;
  }
}

async function steer(
  deps: BillSandboxDependencies,
  caller: Caller,
  id: string,
  way: Way,
  write: Write,
): Promise<Written<PresentedBill>> {
  let delivery: Delivery | null = null;
  try {
    return await write(async (tx) => {
      const found = await findBill(tx, id);
      if (found === undefined) throw billProblem("bill_not_found");
      throw isFrom(way, found) ? new Undecided(found) : wrongState(found);
    });
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    delivery = await deps.decideVend(orderOf(caller, error.bill), way.biller);
    if (delivery === null) throw wrongState(error.bill);
  }
  const decided = way.to === "successful" ? delivery : null;
  return write(async (tx) => ({ data: presentBill(await end(tx, caller, id, way, decided), caller.kind) }));
}

function isFrom(way: Way, { status }: Bill): boolean {
  return (way.from as readonly string[]).includes(status);
}

async function end(tx: Tx, { kind }: Caller, id: string, way: Way, delivery: Delivery | null): Promise<Bill> {
  const now = await findBill(tx, id);
  // A worker that asked the biller meanwhile has booked the same.
  if (now?.status === way.to) return now;
  // The biller has heard of it by now, so it is no longer waiting to be sent.
  if (now?.status === "pending") await startSending(tx, id);
  return steerBill(tx, { id, environment: kind, to: way.to, failure: way.failure, delivery });
}
