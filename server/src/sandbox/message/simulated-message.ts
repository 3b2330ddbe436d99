/**
 * The message rail of sandboxes. No telephone rings: what is sent is kept, and the sandbox's owner reads it. It
 * recognises a message id, so that a message that is sent again is there once.
 */
import type pg from "pg";
import { type Database, timeIn } from "../../platform/database/database.ts";
import type { PageRequest } from "../../platform/records/pagination.ts";
import type { MessageRail } from "../../rails/message.ts";
import { type CarriedMessage, listMessages, recordMessage } from "./simulated-message-store.ts";

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
