/**
 * A provider names a sub-account that it was asked to open, or a payment into one. Nothing that it says is believed: we
 * ask, and book what the answer says.
 */
import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import type { HintOutcome } from "../rails/ask-about-order.ts";
import { findOrderOfConnection, type NamedOrder } from "../rails/orders.ts";
import type { ConnectionMode } from "../rails/provider.ts";
import { bookInboundCredit, type Taker } from "./book-inbound-credit.ts";
import { findCredit } from "./inbound-credit-store.ts";
import { type OpeningDependencies, pursueVirtualAccounts } from "./open-virtual-account.ts";
import { findVirtualAccount } from "./virtual-account-store.ts";

export interface InboundDependencies extends OpeningDependencies {
  readonly connections: {
    find(id: string): Promise<{ readonly connection: KnownConnection } | undefined>;
    list(): Promise<readonly KnownConnection[]>;
  };
}

export interface KnownConnection {
  readonly id: string;
  readonly provider: string;
  readonly mode: ConnectionMode;
  readonly ports: readonly string[];
  readonly createdAt: Date;
}

/** Our ids are uuids, the provider's are not. */
export function takeInboundHint(
  deps: InboundDependencies,
  { connectionId, orderId }: { readonly connectionId: string; readonly orderId: string },
): Promise<HintOutcome> {
  return isUuid(orderId)
    ? askAboutAccount(deps, { connectionId, orderId })
    : askAboutCredit(deps, connectionId, orderId);
}

async function askAboutAccount(deps: InboundDependencies, named: NamedOrder): Promise<HintOutcome> {
  const place = await findOrderOfConnection(deps.db, "virtual_account", named);
  if (place === undefined) return "not_ours";
  const { environmentId, id } = place;
  const order = await readEnvironment(deps.db, environmentId, (tx) => findVirtualAccount(tx, id));
  if (order?.status !== "processing") return "agrees";
  await pursueVirtualAccounts(deps).takeUp({ environmentId, id });
  return "asked";
}

async function askAboutCredit(
  deps: InboundDependencies,
  connectionId: string,
  transactionId: string,
): Promise<HintOutcome> {
  const found = await deps.connections.find(connectionId);
  // Without the port no number was given out there: what comes in is another system's.
  if (found === undefined || !found.connection.ports.includes("inbound")) return "not_ours";
  const { provider, mode } = found.connection;
  const kind = mode === "live" ? "LIVE" : "SANDBOX";
  const rail = await deps.rails.inbound.bound({ environmentId: operatorScope, kind }, connectionId);
  const answer = await rail.readCredit(transactionId);
  const taker: Taker = { connectionId, provider, mode };
  switch (answer.outcome) {
    case "credited": {
      const booked = await bookInboundCredit(deps.db, taker, answer.credit);
      if (booked.was !== "new") return booked.was === "known" ? "agrees" : "disagrees";
      if (booked.reason !== null) {
        deps.log.warn({ connectionId, transactionId, reason: booked.reason }, "money that came in waits in suspense");
      }
      return "asked";
    }
    case "taken_back":
      // What was never booked is not missed. What was is for people: the wallet may be empty by now.
      return (await isBooked(deps.db, taker, transactionId)) ? "disagrees" : "agrees";
    case "not_inbound":
      return (await isBooked(deps.db, taker, transactionId)) ? "disagrees" : "not_ours";
    default:
      // The webhook may be faster than the provider's own books.
      return "unanswered";
  }
}

async function isBooked(db: Database, { provider, mode }: Taker, transactionId: string): Promise<boolean> {
  const known = await readEnvironment(db, operatorScope, (tx) => findCredit(tx, { provider, mode, transactionId }));
  return known !== undefined;
}
