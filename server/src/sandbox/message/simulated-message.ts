/**
 * The message rail of sandboxes. No telephone rings: what is sent is kept, and the sandbox's owner reads it. It
 * recognises a message id, so that a message that is sent again is there once.
 */
import type pg from "pg";
import { type Database, timeIn } from "../../platform/database/database.ts";
import type { PageRequest } from "../../platform/records/pagination.ts";
import type { Message, MessageChannel, MessageRail } from "../../rails/message.ts";
import { booksOf } from "../in-books.ts";

/** A row of the schema `simulated_message`, read and written over connections of its own. */
export interface CarriedMessage {
  readonly id: string;
  readonly channel: MessageChannel;
  readonly to: string;
  readonly text: string;
  readonly status: "delivered";
  readonly sentAt: Date;
}

/** Carries a message. One that was carried before is not carried again, and keeps its text. */
async function recordMessage(pool: pg.Pool, message: Message, sentAt: Date): Promise<void> {
  const { environmentId, messageId, channel, to, text } = message;
  await booksOf(pool, environmentId).query(
    `insert into simulated_message.messages as m (sandbox, message_id, channel, recipient, text, status, attempts,
       sent_at)
     values ($1, $2, $3, $4, $5, 'delivered', 1, $6)
     on conflict (sandbox, message_id) do update set attempts = m.attempts + 1`,
    [environmentId, messageId, channel, to, text, sentAt],
  );
}

/** A page of what a sandbox sent, to one telephone or to all, newest first, and how many there are. */
async function listMessages(
  pool: pg.Pool,
  sandbox: string,
  { to, page, limit }: PageRequest & { readonly to: string | null },
): Promise<{ readonly messages: CarriedMessage[]; readonly total: bigint }> {
  const filter = "sandbox = $1 and ($2::text is null or recipient = $2)";
  const counted = await booksOf(pool, sandbox).query<{ total: bigint }>(
    `select count(*) as total from simulated_message.messages where ${filter}`,
    [sandbox, to],
  );
  const found = await booksOf(pool, sandbox).query<CarriedMessage>(
    `select message_id as id, channel, recipient as "to", text, status, sent_at as "sentAt"
     from simulated_message.messages where ${filter} order by arrival desc limit $3 offset $4`,
    [sandbox, to, limit, BigInt(page - 1) * BigInt(limit)],
  );
  return { messages: found.rows, total: counted.rows[0]?.total ?? 0n };
}

export interface SimulatedMessageOptions {
  /** The gateway's own connections. */
  readonly pool: pg.Pool;
  /** Ours: for the time in a sandbox. */
  readonly db: Database;
}

export interface MessagesWanted extends PageRequest {
  /** E.164, or null for every telephone. */
  readonly to: string | null;
}

export interface SimulatedMessage {
  readonly rail: MessageRail;
  list(
    sandbox: string,
    wanted: MessagesWanted,
  ): Promise<{ readonly messages: readonly CarriedMessage[]; readonly total: bigint }>;
}

export function createSimulatedMessage({ pool, db }: SimulatedMessageOptions): SimulatedMessage {
  return {
    rail: {
      name: "simulated",
      deduplicatesByMessage: true,
      async send(message) {
        await recordMessage(pool, message, await timeIn(db, message.environmentId));
        return { outcome: "sent", providerId: `sim_${message.messageId}` };
      },
    },
    list: (sandbox, wanted) => listMessages(pool, sandbox, wanted),
  };
}
