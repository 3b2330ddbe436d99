/** What an operator must keep an eye on: orders whose outcome a rail owes us, as a metric and in the log. */

import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { type Attention, type AttentionItem, mostAttentionItems } from "../platform/records/overview.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import { countLiveOver, countOwed } from "./owed-store.ts";

export function owedGauge(db: Database, kind: OwedKind): GaugeSource {
  return {
    name: kind.gauge,
    help: `${kind.noun} whose outcome has been owed for more than a minute, by kind of environment.`,
    labelNames: ["environment"],
    read: async () =>
      (await countOwed(db, kind)).map(({ environment, count }) => ({ labels: { environment }, value: count })),
  };
}

/** Live payments against the regulator's clocks, by what must have happened. */
export function overLimitGauge(db: Database, kinds: readonly OwedKind[]): GaugeSource {
  return {
    name: "jara_unknown_over_limit",
    help: "Live payments without an outcome for longer than the regulator allows, by kind and limit.",
    labelNames: ["kind", "limit"],
    read: () =>
      Promise.all(
        kinds.flatMap((kind) =>
          kind.clocks.map(async ({ name, seconds }) => ({
            labels: { kind: kind.type, limit: name },
            value: await countLiveOver(db, kind, seconds),
          })),
        ),
      ),
  };
}

/** Says in the log that money is in the open. A sandbox's is nobody's money. */
export async function reportOwed(db: Database, log: Logger, kinds: readonly OwedKind[]): Promise<void> {
  for (const kind of kinds) {
    for (const { environment, count, oldestSeconds } of await countOwed(db, kind)) {
      if (count === 0) continue;
      const level = environment === "LIVE" ? "warn" : "info";
      log[level]({ environment, count, oldestSeconds }, `${kind.noun} wait for an answer for more than a minute`);
    }
  }
}

/** Orders of one environment that a rail has not told the outcome of for long: what an overview says of them. */

/** Most outcomes are there within seconds; a person looks at what took longer than this. */
const patienceMs = 10 * 60_000;

interface WaitingOrders {
  readonly table: OrderTable;
  readonly kind: string;
  title(count: number): string;
}

export async function readWaitingOrders(tx: Tx, { table, kind, title }: WaitingOrders): Promise<Attention[]> {
  const found = await findWaiting(tx, table, tx.environment.clock.after(-patienceMs));
  if (found === undefined) return [];
  const { count, amount, oldest } = found;
  return [{ kind, title: title(count), count, since: oldest[0]?.since ?? null, amount, items: oldest }];
}

/** Tables of orders that have an index of those under way, by when they were sent. */
type OrderTable = "transfers" | "bills";

interface Waiting {
  readonly count: number;
  readonly amount: Kobo;
  /** The oldest few. */
  readonly oldest: readonly AttentionItem[];
}

/** Orders of this environment that were sent before a moment and have no outcome; undefined when there are none. */
async function findWaiting(tx: Tx, table: OrderTable, before: Date): Promise<Waiting | undefined> {
  const waiting = sql`
    from ${sql.table(table)} where environment_id = ${tx.environment.id} and status = 'processing'
      and sent_at < ${before}`;
  const sums = await sql<{ count: number; amount: bigint | null }>`
    select count(*)::integer as count, sum(amount)::bigint as amount ${waiting}`.execute(tx);
  const { count = 0, amount = null } = sums.rows[0] ?? {};
  if (amount === null) return undefined;
  const oldest = await sql<AttentionItem>`
    select id, reference as title, sent_at as since ${waiting}
    order by sent_at limit ${mostAttentionItems}`.execute(tx);
  return { count, amount: kobo(amount), oldest: oldest.rows };
}
