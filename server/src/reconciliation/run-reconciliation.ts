/** One run: the sides of a day are read, held against each other, and what was found is written at once. */
import { type Database, inEnvironment, operatorScope, timeIn } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { OrderBook } from "../platform/records/order-book.ts";
import { startOfLagosDay } from "../platform/time/lagos-date.ts";
import { giveHints } from "../rails/connections/give-hints.ts";
import type { Connected, Port, ProviderBooks, RecordPeriod } from "../rails/provider.ts";
import { compareDay } from "./compare-day.ts";
import { replaceExceptions } from "./exception-store.ts";
import { readDay } from "./read-day.ts";
import type { Comparison } from "./reconciliation.ts";
import { type ClaimedRun, claimRun, endRun, failRun, holdRun } from "./reconciliation-store.ts";
import { leaseMs, UnreadableDay } from "./run-limits.ts";

/** What reconciliation wants to know of a connection. */
export interface ComparedConnection {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly mode: string;
  readonly state: string;
  readonly ports: readonly string[];
  readonly createdAt: Date;
}

export interface Connections {
  list(): Promise<readonly ComparedConnection[]>;
  find(
    id: string,
  ): Promise<{ readonly connection: ComparedConnection; readonly connected: Pick<Connected, "books"> } | undefined>;
}

export interface RunDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly connections: Connections;
  /** The books of all slices. */
  readonly orderBooks: readonly OrderBook[];
}

const mostTries = 3;

/** Takes up one run that waits. False when none does. */
export async function takeUpRun(deps: RunDependencies): Promise<boolean> {
  const { db, log } = deps;
  const run = await inEnvironment(db, operatorScope, (tx) => claimRun(tx, leaseMs));
  if (run === undefined) return false;
  const about = { reconciliationId: run.id, connectionId: run.connectionId, date: run.date, version: run.version };
  try {
    const comparison = await compare(deps, run);
    await writeResult(deps, run, comparison);
    const { exceptions, waiting } = comparison.counts;
    log[exceptions === 0 ? "info" : "warn"]({ ...about, exceptions, waiting }, "a day was compared with a provider");
  } catch (error) {
    if (!(error instanceof UnreadableDay) && run.tries < mostTries) throw error;
    const code = error instanceof UnreadableDay ? error.code : "internal";
    const message = error instanceof UnreadableDay ? error.message : "The run broke off several times. Read the log.";
    log.error({ ...about, err: error, code }, "a day could not be compared with a provider");
    await writeFailure(db, run, { code, message });
  }
  return true;
}

/** Which books of ours the provider's can be held against. */
export function comparableBooks(
  orderBooks: readonly OrderBook[],
  { ports }: Pick<ComparedConnection, "ports">,
  provider: ProviderBooks | undefined,
): OrderBook[] {
  const kinds: readonly string[] = provider?.kinds ?? [];
  return orderBooks.filter(({ port, kind }) => ports.includes(port) && kinds.includes(kind));
}

async function compare({ db, connections, orderBooks }: RunDependencies, run: ClaimedRun): Promise<Comparison> {
  const found = await connections.find(run.connectionId);
  const provider = found?.connected.books;
  if (found === undefined || provider === undefined) throw new Error(`connection ${run.connectionId} has no books`);
  const books = comparableBooks(orderBooks, found.connection, provider);
  const question = { connectionId: run.connectionId, period: periodOf(run.date), orderBooks: books, provider };
  const matched = await readDay(db, question);
  const kinds = books.map(({ kind }) => kind);
  return compareDay(matched, kinds, await timeIn(db, operatorScope));
}

function periodOf(date: string): RecordPeriod {
  const day = Temporal.PlainDate.from(date);
  return { from: startOfLagosDay(day), to: startOfLagosDay(day.add({ days: 1 })) };
}

/** Everything at once, and only by the worker that has the run. */
async function writeResult(
  { db, orderBooks }: RunDependencies,
  run: ClaimedRun,
  comparison: Comparison,
): Promise<void> {
  await inEnvironment(db, operatorScope, async (tx) => {
    if (!(await holdRun(tx, run))) return;
    await replaceExceptions(tx, run, comparison.exceptions);
    for (const found of doubtful(comparison, orderBooks))
      await giveHints(tx, { ...found, connectionId: run.connectionId });
    await endRun(tx, run, comparison);
  });
}

/**
 * The list alone moves no money. Orders that it tells another end of are asked about, as after a webhook: perhaps its
 * webhook never came, or came to a server whose last minutes were lost.
 */
function doubtful({ exceptions }: Comparison, orderBooks: readonly OrderBook[]): { port: Port; orderIds: string[] }[] {
  return orderBooks.map(({ kind, port }) => ({
    port: port as Port,
    orderIds: exceptions.flatMap(({ kind: found, ours, theirs }) =>
      found === "status_differs" && theirs !== null && ours?.kind === kind ? [ours.orderId] : [],
    ),
  }));
}

async function writeFailure(
  db: Database,
  run: ClaimedRun,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  await inEnvironment(db, operatorScope, async (tx) => {
    if (await holdRun(tx, run)) await failRun(tx, run, failure);
  });
}
