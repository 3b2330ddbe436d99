import { sql } from "kysely";
import { besideEnvironment, type Database, type Tx } from "../platform/database/database.ts";
import { type FloorPurpose, heldAccountId, systemAccountId } from "./account.ts";

/** Opens the system accounts of a new environment. Opening them again changes nothing. */
export async function openSystemAccounts(tx: Tx, purposes: readonly string[]): Promise<void> {
  const createdAt = tx.environment.clock.now();
  await tx
    .insertInto("accounts")
    .values(
      purposes.map((purpose) => ({
        environment_id: tx.environment.id,
        id: systemAccountId(tx.environment.id, purpose),
        purpose,
        has_floor: false,
        created_at: createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Opens what environments made by an older version lack. Returns how many there were. */
export async function openMissingAccounts(db: Database, purposes: readonly string[]): Promise<number> {
  const found = await sql<{ id: string }>`
    select id from find_environments_lacking_accounts(${[...purposes]}) as found (id)`.execute(db);
  for (const { id } of found.rows) await besideEnvironment(db, id, (tx) => openSystemAccounts(tx, purposes));
  return found.rows.length;
}

/** Opens accounts that never go below zero, each with the account for what it holds back. Repeating changes nothing. */
export async function openFloorAccounts(tx: Tx, purpose: FloorPurpose, ids: readonly string[]): Promise<void> {
  const createdAt = tx.environment.clock.now();
  const shared = { environment_id: tx.environment.id, created_at: createdAt };
  await tx
    .insertInto("accounts")
    .values(
      ids.flatMap((id) => [
        { ...shared, id, purpose, has_floor: true },
        { ...shared, id: heldAccountId(id), purpose: "held", has_floor: false },
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
