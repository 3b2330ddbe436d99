import type { Tx } from "../platform/database/database.ts";
import { readNamedMerchant } from "./merchant-store.ts";

/** A merchant whose whole name stands in a text, as it is written. In the operator's scope. */
export function findNamedMerchant(tx: Tx, text: string): Promise<string | undefined> {
  return readNamedMerchant(tx, text);
}
