/** A bill as an order to a biller. */
import { plainStep } from "../ledger/command.ts";
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type Database, inEnvironment } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { VendAnswer, VendOrder } from "../rails/biller.ts";
import type { OrderKey, Unknown } from "../rails/order.ts";
import { askAgain, type Pursuit, pursue } from "../rails/pursue-order.ts";
import { type BillerRails, billerRailFor } from "../rails/registry.ts";
import type { Bill } from "./bill.ts";
import { settleBill } from "./settle-bill.ts";
import { countQueries, findForSending, startSending } from "./settle-store.ts";
import type { SettleCommand } from "./settlement.ts";

export interface SendDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly rails: BillerRails;
  readonly log: Logger;
}

type DefiniteAnswer = Exclude<VendAnswer, Unknown>;

export const requeryTask = "bills.requery";

const asking = { task: requeryTask, countQueries };

const askAgainLater = plainStep<Bill, number>("bills.ask_again", (tx, bills) => askAgain(tx, asking, bills));

export function pursueBills({ db, groupCommit, rails, log }: SendDependencies): Pursuit<Bill> {
  return pursue<Bill, DefiniteAnswer>(
    { db, log },
    {
      ...asking,
      noun: "bill",
      rail: "the biller",
      find: findForSending,
      start: async ({ environmentId, id }) =>
        (await inEnvironment(db, environmentId, (tx) => startSending(tx, id))) ?? null,
      send: (key, bill) => billerRailFor(rails, key.environment).vend(orderOf(key, bill)),
      query: ({ environmentId, environment, id: requestId }) =>
        billerRailFor(rails, environment).query({ environmentId, requestId }),
      resend: ({ environment }) => {
        const { deduplicatesByRequest, settleWindowMs } = billerRailFor(rails, environment);
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
    requestId: bill.id,
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
