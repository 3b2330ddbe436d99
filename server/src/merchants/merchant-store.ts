import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import { merchantProblem } from "./errors.ts";
import { type Environment, isEnvironmentKind, type Merchant } from "./merchant.ts";

export async function insertMerchant(tx: Tx, merchant: Merchant, listPosition: bigint): Promise<void> {
  await tx
    .insertInto("merchants")
    .values({
      id: merchant.id,
      name: merchant.name,
      email: merchant.email,
      created_at: merchant.createdAt,
      list_position: listPosition,
    })
    .execute();
}

export async function merchantExists(tx: Tx, id: string): Promise<boolean> {
  const found = await tx.selectFrom("merchants").select("id").where("id", "=", id).executeTakeFirst();
  return found !== undefined;
}

export async function insertEnvironment(tx: Tx, environment: Environment): Promise<void> {
  try {
    await tx
      .insertInto("environments")
      .values({
        id: environment.id,
        merchant_id: environment.merchantId,
        kind: environment.kind,
        name: environment.name,
        created_at: environment.createdAt,
      })
      .execute();
  } catch (error) {
    const constraint = error instanceof Error && "constraint" in error ? error.constraint : undefined;
    if (constraint === "environments_one_live") throw merchantProblem("live_environment_exists", { cause: error });
    throw error;
  }
}

/** A sandbox's clock, running at real time. The transaction must be in the new sandbox. */
export async function insertClock(tx: Tx): Promise<void> {
  await tx.insertInto("environment_clocks").values({ environment_id: tx.environment.id }).execute();
}

export async function findEnvironmentRow(tx: Tx, id: string): Promise<Environment | undefined> {
  const row = await environmentColumns(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : environmentFrom(row);
}

/** The next environments by id, of all merchants. */
export async function readEnvironmentsAfter(tx: Tx, after: string, limit: number): Promise<Environment[]> {
  const rows = await environmentColumns(tx).where("id", ">", after).orderBy("id").limit(limit).execute();
  return rows.map(environmentFrom);
}

export async function readMerchants(tx: Tx, range: PositionRange): Promise<Merchant[]> {
  const rows = await tx
    .selectFrom("merchants")
    .select(["id", "name", "email", "created_at"])
    .where("list_position", ">=", range.first)
    .where("list_position", "<=", range.last)
    .orderBy("list_position", "desc")
    .limit(Number(range.last - range.first) + 1)
    .execute();
  const environments = await readEnvironments(
    tx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: row.created_at,
    environments: environments.filter((environment) => environment.merchantId === row.id),
  }));
}

/** Whole, without a limit: a merchant is shown with all its environments, and people make them one by one. */
async function readEnvironments(tx: Tx, merchantIds: readonly string[]): Promise<Environment[]> {
  if (merchantIds.length === 0) return [];
  const rows = await environmentColumns(tx)
    .where("merchant_id", "in", merchantIds)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(environmentFrom);
}

function environmentColumns(tx: Tx) {
  return tx.selectFrom("environments").select(["id", "merchant_id", "kind", "name", "created_at"]);
}

type EnvironmentRow = Row<"environments", "id" | "merchant_id" | "kind" | "name" | "created_at">;

function environmentFrom(row: EnvironmentRow): Environment {
  if (!isEnvironmentKind(row.kind)) throw new Error(`environment ${row.id} has the unknown kind ${row.kind}`);
  return { id: row.id, merchantId: row.merchant_id, kind: row.kind, name: row.name, createdAt: row.created_at };
}

export async function readMerchantName(tx: Tx): Promise<string | null> {
  const found = await sql<{ name: string | null }>`select find_merchant_name() as name`.execute(tx);
  return found.rows[0]?.name ?? null;
}

/** Names of three letters and fewer are words of other things too. */
export async function readNamedMerchant(tx: Tx, text: string): Promise<string | undefined> {
  const found = await sql<{ name: string }>`
    select m.name from merchants m where length(m.name) > 3 and strpos(${text}, m.name) > 0 limit 1`.execute(tx);
  return found.rows[0]?.name;
}
