/**
 * What a worker does with one bill. It may be killed at any line:
 *
 *   pending ──▶ processing (committed) ──▶ vend ──▶ definite answer: settle
 *                                            └──▶ no answer: ask again by the agenda
 *
 * Only the worker that committed the step to `processing` vends at once. Whoever finds a bill `processing` asks about
 * its id first. If the biller has no record of it, and it recognises request ids, and the settle window has passed, the
 * order is sent again under the same id; otherwise it waits, in the end for an operator.
 */
import { plainStep } from "../ledger/command.ts";
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type Database, type EnvironmentKind, inEnvironment } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { schedule } from "../platform/work/agenda.ts";
import { delayAfter } from "../rails/ask-again.ts";
import type { VendAnswer, VendOrder } from "../rails/biller.ts";
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

export interface BillKey {
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly id: string;
}

export const requeryTask = "bills.requery";

/** Takes a waiting bill as far as it gets, or asks about one that was sent. */
export async function takeUp(deps: SendDependencies, key: BillKey): Promise<void> {
  const found = await read(deps, key);
  if (found?.bill.status === "pending") {
    const started = await inEnvironment(deps.db, key.environmentId, (tx) => startSending(tx, key.id));
    if (started !== undefined) await order(deps, key, started);
  } else if (found?.bill.status === "processing") await ask(deps, key, found);
}

/** Vends a bill whose step to `processing` was just committed by the caller. */
export async function order(deps: SendDependencies, key: BillKey, bill: Bill): Promise<void> {
  await conclude(deps, key, await billerRailFor(deps.rails, key.environment).vend(orderOf(key, bill)));
}

async function ask(
  deps: SendDependencies,
  key: BillKey,
  found: { readonly bill: Bill; readonly sentForMs: number },
): Promise<void> {
  const rail = billerRailFor(deps.rails, key.environment);
  const answer = await rail.query({ environmentId: key.environmentId, requestId: key.id });
  if (answer.outcome !== "no_record") return conclude(deps, key, answer);
  if (rail.deduplicatesByRequest && found.sentForMs >= rail.settleWindowMs) return order(deps, key, found.bill);
  await conclude(deps, key, { outcome: "unknown", code: "no_record" });
}

async function conclude(deps: SendDependencies, key: BillKey, answer: VendAnswer): Promise<void> {
  if (answer.outcome === "unknown") return askLater(deps, key, answer.code);
  const command: SettleCommand =
    answer.outcome === "success"
      ? { ...key, from: "processing", to: "successful", failure: null, delivery: answer.delivery }
      : { ...key, from: "processing", to: "failed", failure: failureOf(answer), delivery: null };
  await deps.groupCommit.submit(key.environmentId, settleBill, command);
}

function failureOf({ code, message }: Extract<VendAnswer, { readonly outcome: "failure" }>) {
  return { code, message };
}

const remarkableQueries = 6;

/** How often the biller was asked; 0 when it no longer is. Taken for many bills of an environment at a time. */
const askAgainLater = plainStep<string, number>("bills.ask_again", async (tx, ids) => {
  const asked = await countQueries(tx, ids);
  const now = tx.environment.clock.now().getTime();
  await schedule(
    tx,
    [...asked].map(([subject, queries]) => ({
      kind: requeryTask,
      subject,
      dueAt: new Date(now + delayAfter(queries)),
    })),
  );
  return ids.map((id) => asked.get(id) ?? 0);
});

/** Unknown is not failed: the question goes on the agenda, at growing distances, for as long as it takes. */
async function askLater(deps: SendDependencies, key: BillKey, code: string | null): Promise<void> {
  const queries = await deps.groupCommit.submit(key.environmentId, askAgainLater, key.id);
  // Told once, when it has become remarkable; the gauge and the operator's list know of it for as long as it lasts.
  const level = queries === remarkableQueries ? "warn" : "debug";
  deps.log[level]({ billId: key.id, code, queries }, "the biller owes an answer about a bill");
}

function read(deps: SendDependencies, key: BillKey) {
  return inEnvironment(deps.db, key.environmentId, (tx) => findForSending(tx, key.id), { readOnly: true });
}

/** What the biller is told about a bill. */
export function orderOf({ environmentId }: Pick<BillKey, "environmentId">, bill: Bill): VendOrder {
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
