/** Ending bills by hand: in a sandbox by its developer, anywhere by an operator with evidence. */
import { Type } from "typebox";
import type { Route } from "../../platform/http/route.ts";
import type { Delivery, VendOrder } from "../../rails/biller.ts";
import type { ConnectionBook } from "../../rails/connections/connection-book.ts";
import { orderViewRoute } from "../../rails/connections/order-view.ts";
import { resolveRoute, sandboxSteerRoutes } from "../../rails/steer-by-hand.ts";
import { orderOf } from "./bill-order.ts";
import { startSending } from "./bill-store.ts";
import { presentBill } from "./present-bill.ts";
import { billData } from "./schemas.ts";
import { type BillStep, billSteering, reversedByBiller } from "./steer-bill.ts";

const described = {
  kind: billSteering,
  collection: "bills",
  notFound: "bill_not_found",
  data: billData,
  present: presentBill,
} as const;

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

export function billSandboxRoutes({ decideVend }: BillSandboxDependencies): Route[] {
  return sandboxSteerRoutes(described, {
    ways,
    tellRail: async (key, bill, { to, biller, failure }) => {
      // A bill that still waits goes out under its own id, like any other to the simulated biller.
      const order = orderOf(key, { ...bill, requestId: bill.requestId ?? bill.id });
      const delivery = await decideVend(order, biller);
      return delivery && { to, failure, delivery: to === "successful" ? delivery : null };
    },
    // The biller has heard of it by now, so it no longer waits to be sent.
    prepare: async (tx, bill) => {
      if (bill.status !== "pending") return bill;
      return (await startSending(tx, [{ id: bill.id, connectionId: null, requestIds: "uuid" }])).get(bill.id);
    },
  });
}

const notDelivered = {
  code: "resolved_by_operator",
  message: "The biller has established that nothing was delivered. Amount and fee are back in the wallet.",
};

export interface BillViewDependencies {
  readonly connections: Pick<ConnectionBook, "find">;
}

export function billViewRoute(deps: BillViewDependencies): Route {
  return orderViewRoute(deps, described, { port: "biller", railIdOf: ({ requestId }) => requestId });
}

export function billResolveRoute(): Route {
  return resolveRoute(described, {
    summary: "End a bill by hand",
    description:
      "For a bill in processing whose outcome the biller has told you in another way. completed books it as delivered and credits the commission; failed gives amount and fee back to the wallet. Either is final and is written into the audit trail with its evidence.",
    example: "Settlement report of 3 November, line 412: not vended",
    rail: "the biller",
    fields: {
      token: Type.Optional(Type.String({ pattern: "^[0-9]{20}$", description: "Of a prepaid meter, if completed." })),
      units: Type.Optional(
        Type.String({ pattern: "^[0-9]{1,8}(\\.[0-9]{1,2})?$", description: "Kilowatt hours of that token." }),
      ),
      receiptNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    },
    step: ({ outcome, token = null, units = null, receiptNumber = null }): BillStep =>
      outcome === "completed"
        ? { to: "successful", failure: null, delivery: { token, units, receiptNumber } }
        : { to: "failed", failure: notDelivered, delivery: null },
    audited: ({ catalogueVersion }) => ({ catalogueVersion }),
  });
}
