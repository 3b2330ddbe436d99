/** What providers' webhooks told us to ask about. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../../platform/database/database.ts";
import type { Port } from "../provider.ts";

export interface StoredHint {
  readonly id: string;
  readonly connectionId: string;
  readonly port: Port;
  readonly orderId: string;
  readonly event: string;
  readonly receivedAt: Date;
  readonly outcome: string;
  readonly tries: number;
  readonly doneAt: Date | null;
}

/** A hint in somebody's hands. It slips out of them when another webhook names the same order, or after a minute. */
export interface ClaimedHint extends StoredHint {
  readonly claim: string;
}

export type NewHint = Pick<StoredHint, "connectionId" | "port" | "orderId" | "event">;

/**
 * One that waits already stands for this one too. One that is being asked about does not: the answer may be older than
 * the news. It is due again.
 */
export async function insertHint(tx: Tx, { connectionId, port, orderId, event }: NewHint): Promise<void> {
  await sql`
    insert into rail_hints (id, connection_id, event, port, order_id)
    values (${uuidv7()}, ${connectionId}, ${event}, ${port}, ${orderId})
    on conflict (connection_id, port, order_id) where done_at is null
    do update set next_at = least(rail_hints.next_at, clock_timestamp()), event = excluded.event`.execute(tx);
}

const columns = sql.raw(
  "h.id, h.connection_id, h.port, h.order_id, h.event, h.received_at, h.outcome, h.tries, h.done_at",
);

interface HintRow {
  readonly id: string;
  readonly connection_id: string;
  readonly port: string;
  readonly order_id: string;
  readonly event: string;
  readonly received_at: Date;
  readonly outcome: string;
  readonly tries: number;
  readonly done_at: Date | null;
}

function toHint(row: HintRow): StoredHint {
  return {
    id: row.id,
    connectionId: row.connection_id,
    port: row.port as Port,
    orderId: row.order_id,
    event: row.event,
    receivedAt: row.received_at,
    outcome: row.outcome,
    tries: row.tries,
    doneAt: row.done_at,
  };
}

/** Takes what is due; a worker that dies with it loses it after a minute. */
export async function claimHints(tx: Tx, atMost: number): Promise<ClaimedHint[]> {
  const claimed = await sql<HintRow & { readonly claim: string }>`
    with due as (
      select d.id from rail_hints d where d.done_at is null
        -- None waits as long: it was put off while the database's clock was ahead.
        and not d.next_at between clock_timestamp() and clock_timestamp() + interval '2 hours'
      order by d.next_at limit ${atMost} for update skip locked
    )
    update rail_hints h set next_at = clock_timestamp() + interval '1 minute', tries = h.tries + 1
    from due where h.id = due.id
    returning ${columns}, h.next_at::text as claim`.execute(tx);
  return claimed.rows.map((row) => ({ ...toHint(row), claim: row.claim }));
}

export async function endHint(tx: Tx, { id, claim }: ClaimedHint, outcome: string): Promise<void> {
  await sql`
    update rail_hints set outcome = ${outcome}, done_at = clock_timestamp()
    where id = ${id} and next_at = ${claim}::timestamptz and done_at is null`.execute(tx);
}

/** Asked about again after a while. */
export async function postponeHint(tx: Tx, { id, claim }: ClaimedHint, delayMs: number): Promise<void> {
  await sql`
    update rail_hints set next_at = clock_timestamp() + make_interval(secs => ${delayMs / 1000})
    where id = ${id} and next_at = ${claim}::timestamptz and done_at is null`.execute(tx);
}

/** Newest first. */
export async function listHints(tx: Tx, connectionId: string, limit: number): Promise<StoredHint[]> {
  const found = await sql<HintRow>`
    select ${columns} from rail_hints h where h.connection_id = ${connectionId}
    order by h.id desc limit ${limit}`.execute(tx);
  return found.rows.map(toHint);
}

/** What was answered long ago is of no use to anybody. */
export async function forgetHints(tx: Tx): Promise<void> {
  await sql`delete from rail_hints where done_at < clock_timestamp() - interval '90 days'`.execute(tx);
}
