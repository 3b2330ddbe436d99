/** A worker opens incidents of what it sees, and ends those that nobody sees any more. */
import { followTroubles } from "../incidents/follow-troubles.ts";
import type { Logger } from "../platform/logger.ts";
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { areBooksRight } from "../verification/last-result.ts";
import { type HouseDependencies, readHouse } from "./read-house.ts";
import { readStatus } from "./status.ts";
import { findTroubles } from "./troubles.ts";

const watchEveryMs = 30_000;

export interface IncidentDependencies extends HouseDependencies {
  readonly log: Logger;
}

export function incidentLoop(deps: IncidentDependencies): DomainLoop {
  return { name: "watch over incidents", step: every(watchEveryMs, () => watchIncidents(deps)) };
}

async function watchIncidents(deps: IncidentDependencies): Promise<void> {
  const house = await readHouse(deps);
  const { rails, work } = readStatus({ ...house, incidents: [] });
  const { connections } = house;
  const booksAreRight = await areBooksRight(deps.db);
  await followTroubles(deps, findTroubles({ rails, work, connections, booksAreRight }));
}
