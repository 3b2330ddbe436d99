/**
 * A slice is one folder of the product, described once: what it refuses, announces and serves, what it does later, what
 * it keeps sealed, and where it looks across tenants. Each folder has such a description in its `slice.ts`. The
 * composition roots know slices only as a list and fold it, so that a new slice is its folder, a line in that list and
 * a migration.
 *
 * `Routes` and `Work` are what a slice needs to be given, as narrow as it likes: the roots have it all.
 */
import type { Tx } from "./database/database.ts";
import type { Route } from "./http/route.ts";
import type { GaugeSource } from "./metrics.ts";
import type { ProblemCatalogue } from "./problem.ts";
import type { Difference } from "./records/difference.ts";
import type { EventCatalogue } from "./records/event-catalogue.ts";
import type { OrderBook } from "./records/order-book.ts";
import type { OverviewSource } from "./records/overview.ts";
import type { OwedKind } from "./records/owed-kind.ts";
import type { PaymentBooks } from "./records/payment-books.ts";
import type { SearchedKind } from "./records/search.ts";
import type { TraceSource } from "./records/trace.ts";
import type { SealedColumn } from "./secrets/reseal.ts";
import type { DomainLoop } from "./work/background-loop.ts";
import type { TaskKind, TaskKinds } from "./work/jobs.ts";
import type { SweepSource } from "./work/sweeper.ts";

/** Recomputes something. Intact records return an empty list. */
export type Check = (tx: Tx) => Promise<Difference[]>;

export interface Slice<Routes, Work> {
  /** The sections of the API reference whose operations are this slice's, in the order of reading. */
  readonly sections?: readonly Section[];
  /** What a key can be limited to: each name stands for `name:read` and `name:write`. */
  readonly scopes?: readonly string[];
  /** Every refusal, by its code. */
  readonly problems?: ProblemCatalogue;
  /** Everything a merchant can be told, by its name. */
  readonly events?: EventCatalogue;
  /** Columns called sealed_…: an exchange of the master key walks through them. */
  readonly sealedColumns?: readonly SealedColumn[];
  /** Database functions that may look across environments, by signature, and why each must. */
  readonly lookupFunctions?: Readonly<Record<string, string>>;
  /** System accounts that it posts to and no other slice has, by purpose, and what each says. */
  readonly systemAccounts?: Readonly<Record<string, string>>;
  /** Work that waits, by the name of its view `queue_of_<kind>`. */
  readonly queues?: Readonly<Record<string, QueueKind>>;
  /** What a person has to decide, by the name of its view `decisions_of_<kind>`. */
  readonly decisions?: readonly string[];
  /** Orders whose outcome a rail may owe. */
  readonly owedKinds?: readonly OwedKind[];
  /** Where its orders to providers are listed, to be held against what the providers list. */
  readonly orderBooks?: readonly OrderBook[];
  /** What it knows about where a record's money is. */
  readonly traces?: readonly TraceSource[];
  /** Which of its records are found by what a person has at hand. */
  readonly searched?: readonly SearchedKind[];
  /** What it counts for an overview, and what of it needs attention. */
  readonly overviews?: readonly OverviewSource[];
  /** The names of its tasks: each needs a queue before anything is scheduled. */
  readonly taskKinds?: readonly string[];
  /** What finds records that nothing will move. */
  readonly sweepSources?: readonly SweepSource[];
  /** What an environment is given before anybody sees it, and again when a sandbox was emptied. Repeating is safe. */
  readonly environmentOpened?: (inside: Tx) => Promise<void>;
  /** What its payments mean to the ledger: verification compares each with its postings. */
  readonly payments?: readonly PaymentBooks[];
  /** What `npm run verify` recomputes, and workers every night. */
  readonly checks?: readonly Check[];
  /** The same for the operator's own records, in the operator's scope. */
  readonly operatorChecks?: readonly Check[];
  readonly routes?: (needs: Routes) => readonly Route[];
  readonly tasks?: (needs: Work) => readonly (readonly [string, TaskKind])[];
  /** What a worker process does again and again besides. */
  readonly loops?: (needs: Work) => readonly DomainLoop[];
  readonly gauges?: (needs: Work) => readonly GaugeSource[];
}

/**
 * A queue is work that is due and that no worker has taken up yet. A queue may be deep for a moment; what hurts is its
 * age, so every kind knows what is too long.
 */
export interface QueueKind {
  /** What waits, in a sentence. */
  readonly says: string;
  /** From this age on it is slow, and from ten times this age on it stands still. */
  readonly slowSeconds: number;
}

export type QueueKinds = Readonly<Record<string, QueueKind>>;

export interface Section {
  readonly name: string;
  readonly description: string;
}

/** All slices together: the same words, each answered by everybody. */
export interface House<Routes, Work> {
  readonly sections: readonly Section[];
  readonly scopes: readonly string[];
  readonly problems: ProblemCatalogue;
  readonly events: EventCatalogue;
  readonly sealedColumns: readonly SealedColumn[];
  readonly lookupFunctions: Readonly<Record<string, string>>;
  readonly systemAccounts: Readonly<Record<string, string>>;
  readonly queues: QueueKinds;
  readonly decisions: readonly string[];
  readonly owedKinds: readonly OwedKind[];
  readonly orderBooks: readonly OrderBook[];
  readonly traces: readonly TraceSource[];
  readonly searched: readonly SearchedKind[];
  readonly overviews: readonly OverviewSource[];
  readonly taskKinds: readonly string[];
  readonly sweepSources: readonly SweepSource[];
  readonly payments: readonly PaymentBooks[];
  readonly checks: readonly Check[];
  readonly operatorChecks: readonly Check[];
  environmentOpened(inside: Tx): Promise<void>;
  verify(tx: Tx): Promise<Difference[]>;
  verifyOperator(tx: Tx): Promise<Difference[]>;
  routes(needs: Routes): Route[];
  tasks(needs: Work): TaskKinds;
  loops(needs: Work): DomainLoop[];
  gauges(needs: Work): GaugeSource[];
}

export function foldSlices<Routes, Work>(slices: readonly Slice<Routes, Work>[]): House<Routes, Work> {
  const checks = slices.flatMap((slice) => slice.checks ?? []);
  const operatorChecks = slices.flatMap((slice) => slice.operatorChecks ?? []);
  return {
    sections: slices.flatMap(({ sections = [] }) => sections),
    scopes: slices.flatMap(({ scopes = [] }) => scopes),
    problems: mergeNames("problem", slices, ({ problems = {} }) => problems),
    events: mergeNames("event", slices, ({ events = {} }) => events),
    sealedColumns: slices.flatMap(({ sealedColumns = [] }) => sealedColumns),
    lookupFunctions: mergeNames("look-up function", slices, ({ lookupFunctions = {} }) => lookupFunctions),
    systemAccounts: mergeNames("system account", slices, ({ systemAccounts = {} }) => systemAccounts),
    queues: mergeNames("queue", slices, ({ queues = {} }) => queues),
    decisions: slices.flatMap(({ decisions = [] }) => decisions),
    owedKinds: slices.flatMap(({ owedKinds = [] }) => owedKinds),
    orderBooks: slices.flatMap(({ orderBooks = [] }) => orderBooks),
    traces: slices.flatMap(({ traces = [] }) => traces),
    searched: slices.flatMap(({ searched = [] }) => searched),
    overviews: slices.flatMap(({ overviews = [] }) => overviews),
    taskKinds: slices.flatMap(({ taskKinds = [] }) => taskKinds),
    sweepSources: slices.flatMap(({ sweepSources = [] }) => sweepSources),
    environmentOpened: async (inside) => {
      for (const { environmentOpened } of slices) await environmentOpened?.(inside);
    },
    payments: slices.flatMap(({ payments = [] }) => payments),
    checks,
    operatorChecks,
    verify: (tx) => runChecks(tx, checks),
    verifyOperator: (tx) => runChecks(tx, operatorChecks),
    routes: (needs) => slices.flatMap(({ routes }) => routes?.(needs) ?? []),
    tasks: (needs) => new Map(slices.flatMap(({ tasks }) => tasks?.(needs) ?? [])),
    loops: (needs) => slices.flatMap(({ loops }) => loops?.(needs) ?? []),
    gauges: (needs) => slices.flatMap(({ gauges }) => gauges?.(needs) ?? []),
  };
}

/** One after the other: they share a connection. */
export async function runChecks(tx: Tx, checks: readonly Check[]): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const check of checks) found.push(...(await check(tx)));
  return found;
}

/** Two slices must not mean different things by one name. */
function mergeNames<Described, Meaning>(
  what: string,
  slices: readonly Described[],
  namesOf: (slice: Described) => Readonly<Record<string, Meaning>>,
): Readonly<Record<string, Meaning>> {
  const merged: Record<string, Meaning> = {};
  for (const [name, meaning] of slices.flatMap((slice) => Object.entries(namesOf(slice)))) {
    if (merged[name] !== undefined) throw new Error(`two slices have the ${what} ${name}`);
    merged[name] = meaning;
  }
  return Object.freeze(merged);
}
