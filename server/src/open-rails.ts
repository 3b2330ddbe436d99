/** Connects the rails: which adapter serves sandboxes and which live environments, each call within its time. */

import type pg from "pg";
import { createPool, type Database } from "./platform/database/database.ts";
import type { Logger } from "./platform/logger.ts";
import { bankTimeLimits, withBankTimeLimits } from "./rails/bank-time-limits.ts";
import { billerTimeLimits, withBillerTimeLimits } from "./rails/biller-time-limits.ts";
import { cardTimeLimits, withCardTimeLimits } from "./rails/card-time-limits.ts";
import { type Desks, deskOf } from "./rails/desk.ts";
import { identityTimeLimitMs, withIdentityTimeLimit } from "./rails/identity-time-limits.ts";
import type { InboundRail } from "./rails/inbound.ts";
import { messageTimeLimitMs, withMessageTimeLimit } from "./rails/message-time-limits.ts";
import { createSimulatedBank, type SimulatedBank } from "./sandbox/bank/simulated-bank.ts";
import { createSimulatedBiller, type SimulatedBiller } from "./sandbox/biller/simulated-biller.ts";
import { createSimulatedCard, type SimulatedCard } from "./sandbox/card/simulated-card.ts";
import { simulatedIdentity } from "./sandbox/identity/simulated-identity.ts";
import { createSimulatedMessage, type SimulatedMessage } from "./sandbox/message/simulated-message.ts";

export interface RailOptions {
  readonly url: string;
  readonly role?: string;
  readonly db: Database;
  readonly log: Logger;
}

interface Simulations {
  readonly simulatedBank: SimulatedBank;
  readonly simulatedBiller: SimulatedBiller;
  readonly simulatedCard: SimulatedCard;
  readonly simulatedMessage: SimulatedMessage;
}

export interface OpenRails extends Simulations {
  readonly rails: Desks;
  close(): Promise<void>;
}

/** A simulated rail answers from a few rows; more connections would only take them from the others. */
const railPoolSize = 4;

export function openRails(options: RailOptions): OpenRails {
  const { db } = options;
  const pools = {
    bank: poolFor(options, "bank"),
    biller: poolFor(options, "biller"),
    card: poolFor(options, "card network"),
    message: poolFor(options, "message gateway"),
  };
  const simulations: Simulations = {
    simulatedBank: createSimulatedBank({ pool: pools.bank, db }),
    simulatedBiller: createSimulatedBiller({ pool: pools.biller, db }),
    simulatedCard: createSimulatedCard({ pool: pools.card, db }),
    simulatedMessage: createSimulatedMessage({ pool: pools.message, db }),
  };
  return {
    rails: connect(simulations, options.log),
    ...simulations,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

/** No live environment has a rail yet: each answers rail_not_configured. */
function connect(simulations: Simulations, log: Logger): OpenRails["rails"] {
  const { simulatedBank, simulatedBiller, simulatedCard, simulatedMessage } = simulations;
  const report = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} could not be asked`);
  const bank = withBankTimeLimits(simulatedBank.rail, bankTimeLimits, report("a bank"));
  const biller = withBillerTimeLimits(simulatedBiller.rail, billerTimeLimits, report("a biller"));
  const card = withCardTimeLimits(simulatedCard.rail, cardTimeLimits, report("a card network"));
  const message = withMessageTimeLimit(simulatedMessage.rail, messageTimeLimitMs, report("a message gateway"));
  const identity = withIdentityTimeLimit(simulatedIdentity, identityTimeLimitMs, report("an identity register"));
  return {
    bank: deskOf({ SANDBOX: bank, LIVE: null }),
    biller: deskOf({ SANDBOX: biller, LIVE: null }),
    card: deskOf({ SANDBOX: card, LIVE: null }),
    message: deskOf({ SANDBOX: message, LIVE: null }),
    identity: deskOf({ SANDBOX: identity, LIVE: null }),
    inbound: deskOf<InboundRail>({ SANDBOX: null, LIVE: null }),
  };
}

/** Each simulated rail has connections of its own: what it keeps is not part of our transactions. */
function poolFor({ url, role, log }: RailOptions, rail: string): pg.Pool {
  return createPool({
    url,
    poolSize: railPoolSize,
    ...(role === undefined ? {} : { role }),
    onError: (error) => log.warn({ err: error }, `a connection of the simulated ${rail} was lost`),
  });
}
