/** Rows of contact changes. */
import type { Tx } from "../../platform/database/database.ts";
import type { ChangeStatus, ContactChange } from "./contact-change.ts";

function selectChanges(tx: Tx) {
  return tx
    .selectFrom("contact_changes")
    .select(["id", "customer_id", "phone", "email", "address", "status", "created_at", "expires_at"])
    .where("environment_id", "=", tx.environment.id);
}

type ChangeRow = Awaited<ReturnType<ReturnType<typeof selectChanges>["executeTakeFirstOrThrow"]>>;

function toChange(row: ChangeRow): ContactChange {
  return {
    id: row.id,
    customerId: row.customer_id,
    phone: row.phone,
    email: row.email,
    address: row.address,
    status: row.status as ChangeStatus,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export async function insertChange(tx: Tx, change: ContactChange): Promise<void> {
  await tx
    .insertInto("contact_changes")
    .values({
      environment_id: tx.environment.id,
      id: change.id,
      customer_id: change.customerId,
      phone: change.phone,
      email: change.email,
      address: change.address,
      created_at: change.createdAt,
      expires_at: change.expiresAt,
    })
    .execute();
}

/** Those that can still be confirmed, by customer; each has at most one. */
export async function readPendingChanges(tx: Tx, customerIds: readonly string[]): Promise<Map<string, ContactChange>> {
  if (customerIds.length === 0) return new Map();
  const rows = await selectChanges(tx)
    .where("customer_id", "in", customerIds)
    .where("status", "=", "pending")
    .where("expires_at", ">", tx.environment.clock.now())
    .limit(customerIds.length)
    .execute();
  return new Map(rows.map((row) => [row.customer_id, toChange(row)]));
}

export async function findChange(
  tx: Tx,
  { customerId, changeId }: { readonly customerId: string; readonly changeId: string },
): Promise<ContactChange | undefined> {
  const row = await selectChanges(tx)
    .where("id", "=", changeId)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row === undefined ? undefined : toChange(row);
}

/** Newest first. */
export async function readChanges(tx: Tx, customerId: string): Promise<ContactChange[]> {
  const rows = await selectChanges(tx).where("customer_id", "=", customerId).orderBy("id", "desc").limit(100).execute();
  return rows.map(toChange);
}

/** Compare-and-set: false when it was decided before. */
export async function endChange(
  tx: Tx,
  id: string,
  { to, reason = null }: { readonly to: Exclude<ChangeStatus, "pending">; readonly reason?: string | null },
): Promise<boolean> {
  const ended = await tx
    .updateTable("contact_changes")
    .set({ status: to, reason, decided_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}

/** A later change takes the place of what still waits, expired or not. */
export async function replacePendingChange(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable("contact_changes")
    .set({ status: "replaced", decided_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("customer_id", "=", customerId)
    .where("status", "=", "pending")
    .execute();
}
