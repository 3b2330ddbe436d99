/** A worker opens incidents of what it sees, and ends those that nobody sees any more. */
import { followTroubles } from "../incidents/follow-troubles.ts";
import type { Trouble } from "../incidents/incident.ts";
import { type Part, railParts } from "../incidents/part.ts";
import type { Logger } from "../platform/logger.ts";
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { areBooksRight } from "../verification/last-result.ts";
import { type HouseDependencies, readHouse } from "./read-house.ts";
import { readStatus, type SeenConnection, type Status, type StatusLine } from "./status.ts";

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

/**
 * What of the house's state is an incident. The bounds are those of the alert rules (deploy/prometheus/alerts.yml): who
 * is woken at night and what the public reads come from the same figures.
 */

/** JaraConnectionClosed and JaraFloatLow wait so long, JaraQueueSlow so long. */
const railSeconds = 300;
const queueSeconds = 120;
/** JaraFloatLow: less than 100,000 naira. */
const lowFloatKobo = 10_000_000n;
/** The rails that pay from a float. */
const paidFromFloat = ["bank", "biller"] as const satisfies readonly (keyof typeof railParts)[];

export interface Facts extends Pick<Status, "rails" | "work"> {
  readonly connections: readonly SeenConnection[];
  /** Of the last verification that ended. */
  readonly booksAreRight: boolean;
}

export function findTroubles({ rails, work, connections, booksAreRight }: Facts): Trouble[] {
  return [
    ...rails.flatMap((line) => troubleOf(line, "rail", `${line.name}: disturbed`, railSeconds)),
    ...work.flatMap((line) => troubleOf(line, "work", `${line.name}: delayed`, queueSeconds)),
    ...paidFromFloat.flatMap((part) => (isFloatLow(part, connections) ? [lowFloat(part)] : [])),
    ...(booksAreRight ? [] : [wrongBooks]),
  ];
}

function troubleOf(
  { part, condition, since }: StatusLine,
  kind: "rail" | "work",
  title: string,
  shownAfterSeconds: number,
): Trouble[] {
  if (condition === "working") return [];
  return [{ cause: `${kind}.${part}`, title, condition, parts: [part], since, shownAfterSeconds }];
}

/** While another provider of the rail has money, nobody feels it. */
function isFloatLow(part: (typeof paidFromFloat)[number], connections: readonly SeenConnection[]): boolean {
  const serving = connections.filter(
    ({ mode, state, ports }) => mode === "live" && state === "active" && ports.includes(part),
  );
  return serving.length > 0 && serving.every(({ float }) => float !== null && float.available < lowFloatKobo);
}

/** The public learns what it means for payments, not how much money is where. */
function lowFloat(part: Part & keyof typeof railParts): Trouble {
  return {
    cause: `float.${part}`,
    title: `${railParts[part]}: may be delayed`,
    condition: "slow",
    parts: [part],
    since: null,
    shownAfterSeconds: railSeconds,
  };
}

const wrongBooks: Trouble = {
  cause: "books",
  title: "A check of our books needs a person",
  condition: "slow",
  parts: ["books"],
  since: null,
  shownAfterSeconds: 0,
};
