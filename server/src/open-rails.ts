/** Connects the rails: which adapter serves sandboxes and which live environments, each call within its time. */
import { createPool, type Database } from "./platform/database.ts";
import type { Logger } from "./platform/logger.ts";
import { bankTimeLimits, withTimeLimits } from "./rails/bank-time-limits.ts";
import type { Rails } from "./rails/registry.ts";
import { createSimulatedBank, type SimulatedBank } from "./sandbox/simulated-bank.ts";

export interface RailOptions {
  readonly url: string;
  readonly role?: string;
  readonly db: Database;
  readonly log: Logger;
}

export interface OpenRails {
  readonly rails: Rails;
  readonly simulatedBank: SimulatedBank;
  close(): Promise<void>;
}

/** The bank answers from a few rows; more connections would only take them from the others. */
const bankPoolSize = 4;

export function openRails({ url, role, db, log }: RailOptions): OpenRails {
  const pool = createPool({
    url,
    poolSize: bankPoolSize,
    ...(role === undefined ? {} : { role }),
    onError: (error) => log.warn({ err: error }, "a connection of the simulated bank was lost"),
  });
  const simulatedBank = createSimulatedBank({ pool, db });
  const onError = (error: unknown): void => log.warn({ err: error }, "a bank could not be asked");
  const sandboxBank = withTimeLimits(simulatedBank.rail, bankTimeLimits, onError);
  return { rails: { bank: { SANDBOX: sandboxBank, LIVE: null } }, simulatedBank, close: () => pool.end() };
}
