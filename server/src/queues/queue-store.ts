import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { QueueKinds } from "../platform/slice-description.ts";
import type { Queue } from "./queue.ts";

/** Of each kind. Beyond it a queue is so deep that its exact length tells nobody anything. */
const mostCounted = 100_000;

const environments = ["LIVE", "SANDBOX"] as const;

interface Counted {
  readonly kind: string;
  readonly environment: string;
  readonly depth: bigint | null;
  readonly oldest_seconds: number | null;
  readonly misdated: bigint | null;
}

/** Every queue of every kind of environment, also those in which nothing waits. In the operator's scope. */
export async function readQueues(tx: Tx, kinds: QueueKinds): Promise<Queue[]> {
  const counted = await sql<Counted>`
    select kind, environment, q.depth, q.oldest_seconds, m.misdated
    from read_queues(${mostCounted}) q
    full join count_misdated_work(${mostCounted}) m using (kind, environment)`.execute(tx);
  const found = new Map(
    [...counted.rows, ...(await readHints(tx))].map((row) => [`${row.kind}/${row.environment}`, row]),
  );
  return Object.entries(kinds).flatMap(([kind, described]) =>
    environments.map((environment) => {
      const row = found.get(`${kind}/${environment}`);
      return {
        ...described,
        kind,
        environment,
        depth: Number(row?.depth ?? 0n),
        oldestSeconds: Math.max(0, row?.oldest_seconds ?? 0),
        misdated: Number(row?.misdated ?? 0n),
      };
    }),
  );
}

/** What providers told us is the operator's, not a tenant's. */
async function readHints(tx: Tx): Promise<Counted[]> {
  const counted = await sql<Counted>`
    select 'hints' as kind, case c.mode when 'live' then 'LIVE' else 'SANDBOX' end as environment, count(*) as depth,
      extract(epoch from clock_timestamp() - min(h.received_at))::float8 as oldest_seconds, 0::bigint as misdated
    from (select w.connection_id, w.received_at from rail_hints w
      where w.done_at is null
        and not w.next_at between clock_timestamp() and clock_timestamp() + interval '2 hours'
      limit ${mostCounted}) h
    join rail_connections c on c.id = h.connection_id
    group by 2`.execute(tx);
  return counted.rows;
}
