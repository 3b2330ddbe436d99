/** Rows of loan accounts and their plans. */

import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { unawaited } from "../../platform/database/unawaited.ts";
import type { ScheduledInstalment } from "../position/instalment.ts";
import type { TenorType } from "../pricing/product.ts";
import type { PlannedInstalment } from "../pricing/quote.ts";
import type { LoanAccount, LoanStatus, OwnerKind } from "./loan-account.ts";

const accountColumns = [
  "id",
  "owner_kind",
  "owner_id",
  "product_id",
  "product_version",
  "amount",
  "tenure",
  "tenure_type",
  "status",
  "version",
  "start_date",
  "accrued",
  "written_off_at",
  "created_at",
  "updated_at",
  "approved_at",
  "disbursed_at",
  "closed_at",
] as const;

type AccountRow = Row<"loan_accounts", (typeof accountColumns)[number]>;

const accountColumnList = sql.join(accountColumns.map((column) => sql.ref(column)));

/** Locks: the account's row, when asked to. Everything else of a loan is written under this lock. */
export async function findAccount(tx: Tx, id: string, { lock }: { lock: boolean }): Promise<LoanAccount | undefined> {
  const found = await sql<AccountRow>`
    select ${accountColumnList} from loan_accounts where environment_id = ${tx.environment.id} and id = ${id}
    ${lock ? sql`for update` : sql``}`.execute(tx);
  return found.rows.map(toAccount)[0];
}

/** Locks: the rows, by id. */
export async function lockAccounts(tx: Tx, ids: readonly string[]): Promise<LoanAccount[]> {
  const found = await sql<AccountRow>`
    select ${accountColumnList} from loan_accounts
    where environment_id = ${tx.environment.id} and id = any (${ids}::uuid[])
    order by id limit ${ids.length} for update`.execute(tx);
  return found.rows.map(toAccount);
}

export interface AgedAccount {
  readonly before: LoanAccount;
  readonly after: LoanAccount;
  readonly agesAt: Date | null;
}

/**
 * Compare-and-set like `updateAccount`, for accounts that stay in their state. Returns how many were as read. The ids
 * are listed twice, here and below: a planner that knows nothing of a young table goes by the key then.
 */
export async function updateAgedAccounts(tx: Tx, aged: readonly AgedAccount[]): Promise<number> {
  const ids = aged.map(({ before }) => before.id);
  const updated = await sql`
    update loan_accounts a set version = n.version, accrued = n.accrued, updated_at = n.updated_at,
      ages_at = n.ages_at
    from unnest(${ids}::uuid[], ${aged.map(({ before }) => before.version)}::integer[],
      ${aged.map(({ before }) => before.status)}::text[], ${aged.map(({ after }) => after.version)}::integer[],
      ${aged.map(({ after }) => after.accrued)}::integer[],
      ${aged.map(({ after }) => after.updatedAt.toISOString())}::timestamptz[],
      ${aged.map(({ agesAt }) => agesAt?.toISOString() ?? null)}::timestamptz[])
      as n (id, read_version, read_status, version, accrued, updated_at, ages_at)
    where a.environment_id = ${tx.environment.id} and a.id = any (${ids}::uuid[]) and a.id = n.id
      and a.version = n.read_version and a.status = n.read_status`.execute(tx);
  return Number(updated.numAffectedRows ?? 0n);
}

export async function insertAccount(tx: Tx, account: LoanAccount): Promise<void> {
  const insert = tx.insertInto("loan_accounts").values({
    environment_id: tx.environment.id,
    id: account.id,
    owner_kind: account.owner.kind,
    owner_id: account.owner.id,
    product_id: account.productId,
    product_version: account.productVersion,
    amount: account.amount,
    tenure: account.tenor,
    tenure_type: account.tenorType,
    status: account.status,
    version: account.version,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  });
  await unawaited(() => insert.execute());
}

/** Compare-and-set on the version: false when the account is no longer as it was read. */
export async function updateAccount(tx: Tx, before: LoanAccount, after: LoanAccount): Promise<boolean> {
  const updated = await tx
    .updateTable("loan_accounts")
    .set({
      status: after.status,
      version: after.version,
      start_date: after.startDate?.toString() ?? null,
      accrued: after.accrued,
      written_off_at: after.writtenOffAt,
      updated_at: after.updatedAt,
      approved_at: after.approvedAt,
      disbursed_at: after.disbursedAt,
      closed_at: after.closedAt,
    })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", before.id)
    .where("version", "=", before.version)
    .where("status", "=", before.status)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Compare-and-set like `updateAccount`; apart from it because terms never change once a loan is approved. */
export async function updateTerms(tx: Tx, before: LoanAccount, after: LoanAccount): Promise<boolean> {
  const updated = await tx
    .updateTable("loan_accounts")
    .set({
      amount: after.amount,
      tenure: after.tenor,
      tenure_type: after.tenorType,
      version: after.version,
      updated_at: after.updatedAt,
    })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", before.id)
    .where("version", "=", before.version)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

export async function setAgesAt(tx: Tx, id: string, agesAt: Date | null): Promise<void> {
  await tx
    .updateTable("loan_accounts")
    .set({ ages_at: agesAt })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .execute();
}

type InstalmentRow = Row<
  "loan_instalments",
  "account_id" | "number" | "due_date" | "principal" | "interest" | "fees" | "late_fee" | "late_fee_at"
>;

const mostInstalments = 1_000;

export async function readInstalments(tx: Tx, accountId: string): Promise<ScheduledInstalment[]> {
  return (await readManyInstalments(tx, [accountId])).get(accountId) ?? [];
}

/** The plans of several accounts. */
export async function readManyInstalments(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduledInstalment[]>> {
  const found = await sql<InstalmentRow>`
    select account_id, number, due_date, principal, interest, fees, late_fee, late_fee_at
    from loan_instalments where environment_id = ${tx.environment.id} and account_id = any (${accountIds}::uuid[])
    order by account_id, number limit ${accountIds.length * mostInstalments}`.execute(tx);
  const byAccount = Map.groupBy(found.rows, (row) => row.account_id);
  return new Map([...byAccount].map(([id, rows]) => [id, rows.map(toInstalment)]));
}

function toInstalment(row: InstalmentRow): ScheduledInstalment {
  return {
    number: row.number,
    dueDate: Temporal.PlainDate.from(row.due_date),
    principal: kobo(row.principal),
    interest: kobo(row.interest),
    fees: kobo(row.fees),
    lateFee: kobo(row.late_fee),
    lateFeeAt: row.late_fee_at,
  };
}

/** Writes the plan; a plan that was there before gives way to it. */
export async function writePlan(tx: Tx, accountId: string, plan: readonly PlannedInstalment[]): Promise<void> {
  const environmentId = tx.environment.id;
  await tx
    .deleteFrom("loan_instalments")
    .where("environment_id", "=", environmentId)
    .where("account_id", "=", accountId)
    .execute();
  await tx
    .insertInto("loan_instalments")
    .values(
      plan.map((instalment) => ({
        environment_id: environmentId,
        account_id: accountId,
        number: instalment.number,
        due_date: instalment.dueDate.toString(),
        principal: instalment.principal,
        interest: instalment.interest,
        fees: instalment.fees,
      })),
    )
    .execute();
}

/** Once per instalment: returns how many had none before. */
export async function writeLateFees(
  tx: Tx,
  charged: readonly (ScheduledInstalment & { readonly accountId: string })[],
): Promise<number> {
  if (charged.length === 0) return 0;
  const [accountIds, numbers] = [charged.map(({ accountId }) => accountId), charged.map(({ number }) => number)];
  const updated = await sql`
    update loan_instalments i set late_fee = n.late_fee, late_fee_at = n.late_fee_at
    from unnest(${accountIds}::uuid[], ${numbers}::integer[],
      ${charged.map(({ lateFee }) => String(lateFee))}::bigint[],
      ${charged.map(({ lateFeeAt }) => lateFeeAt)}::integer[]) as n (account_id, number, late_fee, late_fee_at)
    where i.environment_id = ${tx.environment.id} and i.account_id = any (${accountIds}::uuid[])
      and i.number = any (${numbers}::integer[]) and i.account_id = n.account_id and i.number = n.number
      and i.late_fee_at is null`.execute(tx);
  return Number(updated.numAffectedRows ?? 0n);
}

function toAccount(row: AccountRow): LoanAccount {
  return {
    id: row.id,
    owner: { kind: row.owner_kind as OwnerKind, id: row.owner_id },
    productId: row.product_id,
    productVersion: row.product_version,
    amount: kobo(row.amount),
    tenor: row.tenure,
    tenorType: row.tenure_type as TenorType,
    status: row.status as LoanStatus,
    version: row.version,
    startDate: row.start_date === null ? null : Temporal.PlainDate.from(row.start_date),
    accrued: row.accrued,
    writtenOffAt: row.written_off_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    approvedAt: row.approved_at,
    disbursedAt: row.disbursed_at,
    closedAt: row.closed_at,
  };
}

/** A page of all accounts in the order of their ids. */
export async function listAccountIds(tx: Tx, after: string | null, atMost: number): Promise<string[]> {
  const rows = await tx
    .selectFrom("loan_accounts")
    .select("id")
    .where("environment_id", "=", tx.environment.id)
    .$if(after !== null, (query) => query.where("id", ">", after))
    .orderBy("id")
    .limit(atMost)
    .execute();
  return rows.map((row) => row.id);
}
