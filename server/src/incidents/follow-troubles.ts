/** Keeps incidents in step with what the system sees. */
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { Trouble } from "./incident.ts";
import { endTroubles, keepTrouble } from "./incident-store.ts";

export interface TroubleDependencies {
  readonly db: Database;
  readonly log: Logger;
}

/** What is seen is kept before anything is ended: a worker that slept through the night ends nothing that still lasts. */
export async function followTroubles({ db, log }: TroubleDependencies, troubles: readonly Trouble[]): Promise<void> {
  const ended = await inEnvironment(db, operatorScope, async (tx) => {
    // In one order, so that two workers never wait for each other.
    for (const trouble of troubles.toSorted((a, b) => (a.cause < b.cause ? -1 : 1))) await keepTrouble(tx, trouble);
    return endTroubles(tx);
  });
  for (const { id, cause } of ended) log.info({ incidentId: id, cause }, "an incident is over");
}
