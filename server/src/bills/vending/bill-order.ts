/** A bill as an order to a biller. */
import { plainStep } from "../../ledger/command.ts";
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { eachOnce } from "../../platform/records/first-of-each.ts";
import type { NoRecord, Unknown } from "../../rails/answer.ts";
import type { VendOrder, VendQueryAnswer } from "../../rails/biller.ts";
import type { BillerRails } from "../../rails/desk.ts";
import type { OrderKey } from "../../rails/order.ts";
import { askAgain, type PursueDependencies, type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { orderOfQueue } from "../../rails/queued-order.ts";
import { waitForRail } from "../../rails/wait-for-rail.ts";
import { sendTask } from "./accept-bill.ts";
import type { Bill } from "./bill.ts";
import { billQueue, type SettleCommand, type Start, startSending } from "./bill-store.ts";
import { settleBill } from "./settle-bill.ts";

export interface SendDependencies extends PursueDependencies {
  readonly groupCommit: GroupCommit;
  readonly rails: BillerRails;
}

type DefiniteAnswer = Exclude<VendQueryAnswer, Unknown | NoRecord>;

export const requeryTask = "bills.requery";

const asking = orderOfQueue(billQueue, requeryTask);

const askAgainLater = plainStep<Bill, number>("bills.ask_again", (tx, bills) => askAgain(tx, asking, bills));

/** The request id is committed. Null when the bill no longer waits. */
const startBill = plainStep<Start, Bill | null>("bills.start", async (tx, starts) =>
  eachOnce(starts, await startSending(tx, starts)),
);

/** No biller takes it now: a waiting bill is left for later, however long that is. */
const waitForBiller = plainStep<Bill, null>("bills.wait_for_biller", async (tx, bills) => {
  await waitForRail(tx, { table: "bills", task: sendTask }, bills);
  return bills.map(() => null);
});

export function pursueBills({ db, groupCommit, rails, log }: SendDependencies): Pursuit<Bill> {
  const railOf = (key: OrderKey, { connectionId }: Bill) => rails.biller.bound(key, connectionId);
  return pursue<Bill, DefiniteAnswer>(
    { db, log },
    {
      ...asking,
      rail: "the biller",
      start: async (key, bill) => {
        const open = await rails.biller.find(key, bill.category);
        if (typeof open === "string") return groupCommit.submit(key.environmentId, waitForBiller, bill);
        const { connectionId, rail } = open;
        const start = { id: bill.id, connectionId, requestIds: rail.requestIds };
        return groupCommit.submit(key.environmentId, startBill, start);
      },
      send: async (key, bill) => (await railOf(key, bill)).vend(orderOf(key, bill)),
      query: async (key, bill) => (await railOf(key, bill)).query(orderOf(key, bill)),
      resend: async (key, bill) => {
        const { deduplicatesByRequest, settleWindowMs } = await railOf(key, bill);
        return { recognised: deduplicatesByRequest, afterMs: settleWindowMs };
      },
      askTogether: (environmentId, bill) => groupCommit.submit(environmentId, askAgainLater, bill),
      end: async (key, _, answer) => {
        await groupCommit.submit(key.environmentId, settleBill, settlementOf(key, answer));
        return true;
      },
    },
  );
}

function settlementOf({ id }: OrderKey, answer: DefiniteAnswer): SettleCommand {
  const step = { id, from: "processing" } as const;
  if (answer.outcome === "success") return { ...step, to: "successful", failure: null, delivery: answer.delivery };
  const { code, message } = answer;
  return { ...step, to: "failed", failure: { code, message }, delivery: null };
}

/** What the biller is told about a bill. */
export function orderOf({ environmentId }: Pick<OrderKey, "environmentId">, bill: Bill): VendOrder {
  return {
    environmentId,
    requestId: requestIdOf(bill),
    category: bill.category,
    provider: bill.provider,
    customer: bill.customer.identifier,
    meterType: bill.meterType,
    productCode: bill.product.code,
    subscriptionType: bill.subscriptionType,
    amount: bill.amount,
    phoneNumber: bill.phoneNumber,
    reference: bill.reference,
  };
}

function requestIdOf({ id, requestId }: Bill): string {
  if (requestId === null) throw new Error(`bill ${id} is processing without a request id`);
  return requestId;
}
