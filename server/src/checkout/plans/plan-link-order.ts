/**
 * The address of a plan's page as an order to the gateway that carries it to the customer. The message's id was
 * committed when the loan was paid out, so that a gateway that is asked again knows it for the same message.
 */
import { findMerchantName } from "../../merchants/read-merchants.ts";
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import type { SweepSource } from "../../platform/work/sweeper.ts";
import type { Unknown } from "../../rails/answer.ts";
import type { MessageRails } from "../../rails/desk.ts";
import type { Message, MessageAnswer, MessageRail } from "../../rails/message.ts";
import { openTry } from "../../rails/message-try.ts";
import { askedBySending, type OrderKey } from "../../rails/order.ts";
import { idleOrders } from "../../rails/orders.ts";
import { type Pursuit, pursue, takeUpTask } from "../../rails/pursue-order.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { hasPlanPage } from "../loans/checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { makePlanPage, type PlanAddressing, planAddress } from "./make-plan-page.ts";
import type { PlanLinkMessage } from "./plan-page.ts";
import { sendPlanLinkTask } from "./plan-page.ts";
import { countLinkTry, endLinkMessage, endLinkTries, findWaitingMessage } from "./plan-page-store.ts";

export interface PlanLinkDependencies extends PlanAddressing {
  readonly db: Database;
  readonly rails: MessageRails;
  readonly log: Logger;
}

/** Its id is the loan's. */
interface PlanLinkOrder extends PlanLinkMessage {
  readonly id: string;
  /** Null until the page was made and a try was counted. */
  readonly sending: { readonly rail: MessageRail; readonly message: Message } | null;
}

export const planTaskKinds = [sendPlanLinkTask] as const;

export function planTasks(deps: PlanLinkDependencies): [string, TaskKind][] {
  return [[sendPlanLinkTask, takeUpTask(pursuePlanLinks(deps))]];
}

function pursuePlanLinks(deps: PlanLinkDependencies): Pursuit<PlanLinkOrder> {
  const { db, log } = deps;
  const send = async (_: OrderKey, { sending }: PlanLinkOrder): Promise<MessageAnswer> =>
    sending === null ? { outcome: "unknown" } : sending.rail.send(sending.message);
  return pursue<PlanLinkOrder, Exclude<MessageAnswer, Unknown>>(
    { db, log },
    {
      noun: "plan link",
      rail: "the gateway",
      task: sendPlanLinkTask,
      find: async (tx, id) => {
        const waiting = await findWaitingMessage(tx, id);
        // Every try begins with the page, which may have been replaced, and the phone, which may be another.
        return waiting && { order: { ...waiting, id, sending: null }, status: "pending", sentForMs: 0 };
      },
      start: (key, order) => startTry(deps, key, order),
      ...askedBySending(send),
      // A try is counted when it starts.
      countQueries: endLinkTries,
      end: async ({ environmentId, id }, _, answer) => {
        if (answer.outcome === "refused") {
          log.warn({ loanId: id, code: answer.code }, "a gateway refused to carry the address of a plan");
        }
        await inEnvironment(db, environmentId, (tx) => endLinkMessage(tx, id, answer.outcome));
        return true;
      },
    },
  );
}

/** A day later the news is old, and the merchant can hand out the address too. */
const worthSendingMs = 24 * 60 * 60_000;

/** Null when another worker makes this try, or when there is none left to make. */
async function startTry(
  deps: PlanLinkDependencies,
  key: OrderKey,
  order: PlanLinkOrder,
): Promise<PlanLinkOrder | null> {
  const attempt = await openTry(deps.rails, key, order.tries);
  return inEnvironment(deps.db, key.environmentId, async (tx) => {
    if (attempt === null) {
      deps.log.warn(
        { loanId: order.id, tries: order.tries },
        "a gateway never said whether it carried a plan's address",
      );
      await endLinkMessage(tx, order.id, "unclear");
      return null;
    }
    const message = await writeMessage(tx, deps, order);
    if (message === null || !(await countLinkTry(tx, order.id, attempt.after))) return null;
    return { ...order, sending: { rail: attempt.rail, message } };
  });
}

async function writeMessage(tx: Tx, deps: PlanLinkDependencies, order: PlanLinkOrder): Promise<Message | null> {
  const { loanId, messageId, createdAt } = order;
  const loan = await requireCheckoutLoan(tx, loanId);
  const { id: environmentId, clock } = tx.environment;
  const isOld = clock.now().getTime() - createdAt.getTime() > worthSendingMs;
  // The bank may have sent the money back meanwhile.
  if (isOld || !hasPlanPage(loan.status)) {
    await endLinkMessage(tx, loanId, "refused");
    return null;
  }
  const origin = { actor: "jara", address: "", requestId: messageId };
  const { page } = await makePlanPage(tx, deps, { loanId, renew: false, origin });
  const { phone: to } = await requireCustomer(tx, loan.customerId);
  const text = textOf(await findMerchantName(tx), loan.tenor, await planAddress(tx, deps, page.id));
  return { environmentId, messageId, channel: "sms", to, text };
}

function textOf(merchant: string, tenor: number, url: string): string {
  const plan = tenor === 1 ? "payment" : `${tenor} monthly payments`;
  return `${merchant} is paid. See your ${plan}, pay early or change your card here: ${url}`;
}

export const planSweepSources: readonly SweepSource[] = [idleOrders("plan_link", "waiting", sendPlanLinkTask)];
