/** Connects the rails: which adapter serves sandboxes and which live environments, each call within its time. */

import type pg from "pg";
import type { Bill } from "../bills/vending/bill.ts";
import { createPool, type Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type ClaimedOrder, createHandOver, type HandOver } from "../platform/work/rounds.ts";
import {
  type ConnectionBook,
  createConnectionBook,
  type SimulatedRails,
} from "../rails/connections/connection-book.ts";
import { allProviders } from "../rails/connections/providers.ts";
import type { Desks } from "../rails/desk.ts";
import type { IdentityRail } from "../rails/identity.ts";
import type { Port, Provider } from "../rails/provider.ts";
import { withTimeLimits } from "../rails/time-limits.ts";
import { createSimulatedBank, type SimulatedBank } from "../sandbox/bank/simulated-bank.ts";
import { createSimulatedBiller, type SimulatedBiller } from "../sandbox/biller/simulated-biller.ts";
import { createSimulatedCard, type SimulatedCard } from "../sandbox/card/simulated-card.ts";
import { createSimulatedIdentity } from "../sandbox/identity/simulated-identity.ts";
import { createSimulatedMessage, type SimulatedMessage } from "../sandbox/message/simulated-message.ts";
import { createRailHolds, type RailHolds } from "../sandbox/rail-holds.ts";
import type { Transfer } from "../transfers/payouts/transfer.ts";

export interface RailOptions {
  readonly url: string;
  readonly role?: string;
  /** See DatabaseOptions. */
  readonly preparedStatements?: boolean;
  readonly db: Database;
  readonly log: Logger;
  readonly sealer: Sealer;
  /** Who can be connected; a test has twins of its own. */
  readonly providers?: readonly Provider[];
}

interface Simulations {
  readonly simulatedBank: SimulatedBank;
  readonly simulatedBiller: SimulatedBiller;
  readonly simulatedCard: SimulatedCard;
  readonly simulatedMessage: SimulatedMessage;
}

export interface OpenRails extends Simulations {
  /** Which of the simulated rails take no orders. */
  readonly railHolds: RailHolds;
  readonly rails: Desks;
  readonly connections: ConnectionBook;
  readonly sendingDesk: HandOver<ClaimedOrder<Transfer>>;
  readonly vendingDesk: HandOver<ClaimedOrder<Bill>>;
  close(): Promise<void>;
}

/** A simulated rail answers from a few rows; more connections would only take them from the others. */
const railPoolSize = 4;

export function openRails(options: RailOptions): OpenRails {
  const { db } = options;
  const pools = {
    bank: openPool(options, "bank"),
    biller: openPool(options, "biller"),
    card: openPool(options, "card network"),
    message: openPool(options, "message gateway"),
    identity: openPool(options, "identity register"),
  };
  const simulations: Simulations = {
    simulatedBank: createSimulatedBank({ pool: pools.bank, db }),
    simulatedBiller: createSimulatedBiller({ pool: pools.biller, db }),
    simulatedCard: createSimulatedCard({ pool: pools.card, db }),
    simulatedMessage: createSimulatedMessage({ pool: pools.message, db }),
  };
  const { sealer, log, providers = allProviders } = options;
  const simulatedIdentity = createSimulatedIdentity({ pool: pools.identity, sealer });
  const railHolds = createRailHolds(db);
  const isHeld = async (sandbox: string, port: Port) => (await railHolds.of(sandbox, port)) !== null;
  const simulated = limited({ ...simulations, simulatedIdentity }, log);
  const connections = createConnectionBook({ db, sealer, log, providers, simulated, isHeld });
  return {
    railHolds,
    rails: connections.desks,
    connections,
    sendingDesk: createHandOver(),
    vendingDesk: createHandOver(),
    ...simulations,
    close: async () => {
      await Promise.all([connections.close(), ...Object.values(pools).map((pool) => pool.end())]);
    },
  };
}

/** The simulated rails, each call within its time. */
function limited(simulations: Simulations & { readonly simulatedIdentity: IdentityRail }, log: Logger): SimulatedRails {
  const { simulatedBank, simulatedBiller, simulatedCard, simulatedMessage, simulatedIdentity } = simulations;
  const report = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} could not be asked`);
  return {
    bank: withTimeLimits("bank", simulatedBank.rail, report("a bank")),
    biller: withTimeLimits("biller", simulatedBiller.rail, report("a biller")),
    card: withTimeLimits("card", simulatedCard.rail, report("a card network")),
    message: withTimeLimits("message", simulatedMessage.rail, report("a message gateway")),
    identity: withTimeLimits("identity", simulatedIdentity, report("an identity register")),
    inbound: null,
  };
}

/** Each simulated rail has connections of its own: what it keeps is not part of our transactions. */
function openPool({ url, role, preparedStatements = true, log }: RailOptions, rail: string): pg.Pool {
  return createPool({
    url,
    poolSize: railPoolSize,
    preparedStatements,
    ...(role === undefined ? {} : { role }),
    onError: (error) => log.warn({ err: error }, `a connection of the simulated ${rail} was lost`),
  });
}
