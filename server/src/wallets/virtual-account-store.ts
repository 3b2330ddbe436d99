/** Reading and writing sub-accounts on their way. */
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import type { VirtualAccount, VirtualAccountStatus } from "./virtual-account.ts";

const columns = [
  "id",
  "account_name",
  "external_id",
  "status",
  "connection_id",
  "tries",
  "sent_at",
  "refusal_code",
  "refusal_message",
  "created_at",
] as const;

type VirtualAccountRow = Row<"virtual_accounts", (typeof columns)[number]>;

function toVirtualAccount(row: VirtualAccountRow): VirtualAccount {
  const { refusal_code: code, refusal_message: message } = row;
  return {
    id: row.id,
    accountName: row.account_name,
    externalId: row.external_id,
    status: row.status as VirtualAccountStatus,
    connectionId: row.connection_id,
    tries: row.tries,
    sentAt: row.sent_at,
    refusal: code === null ? null : { code, message: message ?? "" },
    createdAt: row.created_at,
  };
}

export async function insertVirtualAccount(
  tx: Tx,
  { id, accountName, externalId }: Pick<VirtualAccount, "id" | "accountName" | "externalId">,
): Promise<VirtualAccount> {
  const row = await tx
    .insertInto("virtual_accounts")
    .values({
      environment_id: tx.environment.id,
      id,
      account_name: accountName,
      external_id: externalId,
      status: "pending",
      created_at: tx.environment.clock.now(),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toVirtualAccount(row);
}

export async function findVirtualAccount(tx: Tx, id: string): Promise<VirtualAccount | undefined> {
  const row = await tx
    .selectFrom("virtual_accounts")
    .select(columns)
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toVirtualAccount(row);
}

/** Binds an order to its connection. Undefined when somebody else was faster. */
export async function startOrder(tx: Tx, id: string, connectionId: string): Promise<VirtualAccount | undefined> {
  const row = await tx
    .updateTable("virtual_accounts")
    .set({ status: "processing", connection_id: connectionId })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "pending")
    .returning(columns)
    .executeTakeFirst();
  return row === undefined ? undefined : toVirtualAccount(row);
}

/** Counts a try. False when another was counted since: only one caller orders at a time. */
export async function countTry(tx: Tx, { id, tries }: Pick<VirtualAccount, "id" | "tries">): Promise<boolean> {
  const counted = await tx
    .updateTable("virtual_accounts")
    .set({ tries: tries + 1, sent_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .where("tries", "=", tries)
    .executeTakeFirst();
  return counted.numUpdatedRows === 1n;
}

/** False when somebody else has ended it. */
export async function endOrder(
  tx: Tx,
  id: string,
  end: { readonly to: "opened" } | { readonly to: "refused"; readonly code: string; readonly message: string },
): Promise<boolean> {
  const refusal = end.to === "refused" ? { refusal_code: end.code, refusal_message: end.message } : {};
  const ended = await tx
    .updateTable("virtual_accounts")
    .set({ status: end.to, completed_at: tx.environment.clock.now(), ...refusal })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}
