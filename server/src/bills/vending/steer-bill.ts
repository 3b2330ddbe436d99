/** Ending a bill by somebody's word (`rails/steer-order.ts`), or asking the biller because somebody hinted at it. */
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { runCommand } from "../../ledger/run-command.ts";
import type { Database } from "../../platform/database/database.ts";
import { askAboutNamed, type HintOutcome } from "../../rails/ask-about-order.ts";
import { type SteerKind, takeBack } from "../../rails/steer-order.ts";
import { sendTask } from "./accept-bill.ts";
import { type Bill, canMove } from "./bill.ts";
import { orderOf, pursueBills, requeryTask, type SendDependencies } from "./bill-order.ts";
import type { SettleCommand } from "./bill-store.ts";
import { findBill } from "./bill-store.ts";
import { billProblem } from "./errors.ts";
import { settleBill } from "./settle-bill.ts";

export type BillStep = Pick<SettleCommand, "to" | "failure" | "delivery">;

export const billSteering: SteerKind<Bill, BillStep> = {
  noun: "bill",
  tasks: [requeryTask, sendTask],
  find: findBill,
  notFound: () => billProblem("bill_not_found"),
  canMove,
  settle: (tx, { id, status: from }, step) => runCommand(tx, settleBill, { id, from, ...step }),
};

export const reversedByBiller = { code: "reversed_by_biller", message: "The biller took the delivery back." } as const;

export interface ReversalDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

/** The biller has taken back what it had delivered. Returns whether that is booked. */
export function reverseBill(
  { db, groupCommit }: ReversalDependencies,
  { environmentId, id }: { readonly environmentId: string; readonly id: string },
): Promise<boolean> {
  return takeBack<Bill>(db, environmentId, {
    find: (tx) => findBill(tx, id),
    notFound: billSteering.notFound,
    done: "successful",
    settle: () => {
      const step = { from: "successful", to: "reversed", failure: reversedByBiller, delivery: null } as const;
      return groupCommit.submit(environmentId, settleBill, { id, ...step });
    },
  });
}

interface NamedVend {
  readonly connectionId: string;
  readonly requestId: string;
}

/** A provider hints at a bill by its request id. */
export function askAboutVend(deps: SendDependencies, { connectionId, requestId }: NamedVend): Promise<HintOutcome> {
  return askAboutNamed<Bill>(
    deps.db,
    { connectionId, orderId: requestId },
    {
      kind: "bill",
      find: findBill,
      takeUp: (name) => pursueBills(deps).takeUp(name),
      query: async (key, bill) => (await deps.rails.biller.bound(key, connectionId)).query(orderOf(key, bill)),
      done: "successful",
      takeBack: (name) => reverseBill(deps, name),
    },
  );
}
