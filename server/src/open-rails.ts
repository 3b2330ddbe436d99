/** Connects the rails: which adapter serves sandboxes and which live environments, each call within its time. */
import type pg from "pg";
import { createPool, type Database } from "./platform/database.ts";
import type { Logger } from "./platform/logger.ts";
import { bankTimeLimits, withTimeLimits } from "./rails/bank-time-limits.ts";
import { billerTimeLimits, withBillerTimeLimits } from "./rails/biller-time-limits.ts";
import type { BillerRails, CardRails, IdentityRails, MessageRails, Rails } from "./rails/registry.ts";
import { createSimulatedBank, type SimulatedBank } from "./sandbox/simulated-bank.ts";
import { createSimulatedBiller, type SimulatedBiller } from "./sandbox/simulated-biller.ts";

export interface RailOptions {
  readonly url: string;
  readonly role?: string;
  readonly db: Database;
  readonly log: Logger;
}

export interface OpenRails {
  readonly rails: Rails & BillerRails & CardRails & MessageRails & IdentityRails;
  readonly simulatedBank: SimulatedBank;
  readonly simulatedBiller: SimulatedBiller;
  close(): Promise<void>;
}

/** A simulated rail answers from a few rows; more connections would only take them from the others. */
const railPoolSize = 4;

export function openRails(options: RailOptions): OpenRails {
  const { db, log } = options;
  const [bankPool, billerPool] = [poolFor(options, "bank"), poolFor(options, "biller")];
  const simulatedBank = createSimulatedBank({ pool: bankPool, db });
  const simulatedBiller = createSimulatedBiller({ pool: billerPool, db });
  const report = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const bank = withTimeLimits(simulatedBank.rail, bankTimeLimits, report("a bank could not be asked"));
  const biller = withBillerTimeLimits(simulatedBiller.rail, billerTimeLimits, report("a biller could not be asked"));
  return {
    rails: {
      bank: { SANDBOX: bank, LIVE: null },
      biller: { SANDBOX: biller, LIVE: null },
      card: { SANDBOX: null, LIVE: null },
      message: { SANDBOX: null, LIVE: null },
      identity: { SANDBOX: null, LIVE: null },
    },
    simulatedBank,
    simulatedBiller,
    close: async () => {
      await Promise.all([bankPool.end(), billerPool.end()]);
    },
  };
}

/** Each simulated rail has connections of its own: what it keeps is none of our transactions. */
function poolFor({ url, role, log }: RailOptions, rail: string): pg.Pool {
  return createPool({
    url,
    poolSize: railPoolSize,
    ...(role === undefined ? {} : { role }),
    onError: (error) => log.warn({ err: error }, `a connection of the simulated ${rail} was lost`),
  });
}
