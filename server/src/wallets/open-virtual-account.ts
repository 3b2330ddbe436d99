/** A sub-account as an order to a provider of account numbers. */
import { zeroKobo } from "../money/kobo.ts";
import { type Database, inEnvironment, type Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import { withdrawReferences } from "../platform/records/reference-claims.ts";
import type { TaskKind } from "../platform/work/jobs.ts";
import type { SweepSource } from "../platform/work/sweeper.ts";
import type { Unknown } from "../rails/answer.ts";
import { type Desks, openRail } from "../rails/desk.ts";
import type { AccountOrder, AccountRefusal, InboundRail, OpenedAccount } from "../rails/inbound.ts";
import { type OrderKey, openOrder } from "../rails/order.ts";
import { countQueries, idleOrders } from "../rails/orders.ts";
import { type Pursuit, pursue, takeUpTask } from "../rails/pursue-order.ts";
import { openProvidedWallet } from "./open-wallet.ts";
import { presentOpening, presentState } from "./sub-account-state.ts";
import { openAccountTask, type VirtualAccount } from "./virtual-account.ts";
import { countTry, endOrder, findVirtualAccount, startOrder } from "./virtual-account-store.ts";
import { subAccountList } from "./wallet.ts";

export interface OpeningDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly rails: Pick<Desks, "inbound">;
}

export function pursueVirtualAccounts(deps: OpeningDependencies): Pursuit<VirtualAccount> {
  const { db } = deps;
  return pursue<VirtualAccount, OpenedAccount | AccountRefusal>(deps, {
    noun: "sub-account",
    rail: "the provider of account numbers",
    task: openAccountTask,
    find: async (tx, id) => {
      const order = await findVirtualAccount(tx, id);
      return order && openOrder(tx, order, order.sentAt);
    },
    start: async (key, { id }) => {
      const { connectionId } = await openRail(deps.rails.inbound, key);
      if (connectionId === null) throw new Error("an account number cannot be ordered of the simulation");
      return (await inEnvironment(db, key.environmentId, (tx) => startOrder(tx, id, connectionId))) ?? null;
    },
    send: (key, order) => send(deps, key, order),
    query: async (key, order) => (await railOf(deps, key, order)).findAccount(orderOf(key, order)),
    resend: async (key, order) => {
      // One that was begun and never counted was never ordered.
      const afterMs = order.tries === 0 ? 0 : (await railOf(deps, key, order)).settleWindowMs;
      return { recognised: true, afterMs };
    },
    countQueries: (tx, accounts) => countQueries(tx, "virtual_accounts", accounts),
    end: async ({ environmentId }, order, answer) => {
      await inEnvironment(db, environmentId, (tx) => end(tx, order, answer));
      return true;
    },
  });
}

/**
 * Providers do not recognise a second order, so each is counted first and one caller at a time orders. The next may do
 * so only when the settle window has passed since, and the provider has no record of it.
 */
async function send(
  deps: OpeningDependencies,
  key: OrderKey,
  order: VirtualAccount,
): Promise<OpenedAccount | AccountRefusal | Unknown> {
  const rail = await railOf(deps, key, order);
  const isOurs = await inEnvironment(deps.db, key.environmentId, (tx) => countTry(tx, order));
  return isOurs ? rail.openAccount(orderOf(key, order)) : { outcome: "unknown", code: "being_ordered" };
}

function railOf({ rails }: OpeningDependencies, key: OrderKey, { connectionId }: VirtualAccount): Promise<InboundRail> {
  return rails.inbound.bound(key, connectionId);
}

function orderOf({ environmentId }: OrderKey, { id, accountName }: VirtualAccount): AccountOrder {
  return { environmentId, walletId: id, name: accountName };
}

const resource = { resourceType: "sub_account", resourceVersion: 1 } as const;

/** The order, the wallet and the event move together. */
async function end(tx: Tx, order: VirtualAccount, answer: OpenedAccount | AccountRefusal): Promise<void> {
  const { id, externalId, connectionId } = order;
  if (answer.outcome === "refused") {
    const { code, message } = answer;
    if (!(await endOrder(tx, id, { to: "refused", code, message }))) return;
    // The merchant may try again under its own id, with another name.
    if (externalId !== null) {
      await withdrawReferences(tx, subAccountList, [{ references: [externalId], recordId: id }]);
    }
    const data = presentOpening({ ...order, status: "refused", refusal: { code, message } });
    await recordEvents(tx, [{ event: "wallet.refused", resourceId: id, ...resource, data }]);
    return;
  }
  if (connectionId === null || !(await endOrder(tx, id, { to: "opened" }))) return;
  const wallet = await openProvidedWallet(tx, order, { ...answer.account, connectionId });
  const data = presentState(wallet, tx.environment.kind, zeroKobo);
  await recordEvents(tx, [{ event: "wallet.opened", resourceId: id, ...resource, data }]);
}

/** The task of sub-accounts on their way, and what finds those that nothing will move. */
export function virtualAccountTasks(deps: OpeningDependencies): [string, TaskKind][] {
  return [[openAccountTask, takeUpTask(pursueVirtualAccounts(deps))]];
}

export const virtualAccountSweepSources: readonly SweepSource[] = [
  idleOrders("virtual_account", "waiting", openAccountTask),
  idleOrders("virtual_account", "sent", openAccountTask),
];
