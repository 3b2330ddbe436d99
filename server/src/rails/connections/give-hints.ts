/** Hints that no webhook gave: something was found in a provider's own list, and is asked about in the same way. */
import type { Tx } from "../../platform/database/database.ts";
import type { Port } from "../provider.ts";
import { insertHint } from "./hint-store.ts";

export interface FoundInList {
  readonly connectionId: string;
  readonly port: Port;
  readonly orderIds: readonly string[];
}

export async function giveHints(tx: Tx, { connectionId, port, orderIds }: FoundInList): Promise<void> {
  for (const orderId of orderIds) await insertHint(tx, { connectionId, port, orderId, event: "listed" });
}
