/** The versions of the catalogue. Stored amounts are kobo. */

import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import type { Catalogue, CatalogueContent } from "./catalogue.ts";

type CatalogueRow = Row<"bill_catalogues", "version" | "source" | "source_date" | "content">;

/** Figures that are money, wherever they stand in a catalogue. */
const amounts = new Set(["amount", "minAmount", "maxAmount"]);

/** The operator's newest version, or the one asked for. */
export async function readCatalogue(db: Database | Tx, version: number | null): Promise<Catalogue> {
  const found = await sql<CatalogueRow>`
    select c.version, c.source, c.source_date, c.content from bill_catalogues c
    where c.version = coalesce(${version}::integer,
      (select max(m.version) from bill_catalogues m where m.connection_id is null))`.execute(db);
  const [row] = found.rows;
  if (row === undefined) throw new Error(`there is no catalogue of bills with version ${version ?? "whatever"}`);
  return toCatalogue(row);
}

/** The newest version of what a connection sells; undefined before it was read for the first time. */
export async function readConnectionCatalogue(db: Database | Tx, connectionId: string): Promise<Catalogue | undefined> {
  const found = await sql<CatalogueRow>`
    select c.version, c.source, c.source_date, c.content from bill_catalogues c
    where c.connection_id = ${connectionId} order by c.version desc limit 1`.execute(db);
  return found.rows.map(toCatalogue)[0];
}

function toCatalogue(row: CatalogueRow): Catalogue {
  const content = JSON.parse(JSON.stringify(row.content), (key, value) =>
    amounts.has(key) ? kobo(BigInt(value)) : value,
  ) as CatalogueContent;
  return { ...content, version: row.version, source: row.source, sourceDate: row.source_date };
}

interface InsertedCatalogue {
  readonly source: string;
  readonly sourceDate: string;
  readonly content: CatalogueContent;
  /** Whose list it is; the operator's without one. */
  readonly connectionId?: string;
}

/** Adds a version and returns its number. Locks: others who add one. */
export async function insertCatalogue(
  tx: Tx,
  { source, sourceDate, content, connectionId }: InsertedCatalogue,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('jara.bill_catalogues'))`.execute(tx);
  const stored = JSON.stringify(content, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  const added = await sql<{ version: number }>`
    insert into bill_catalogues (version, source, source_date, content, connection_id)
    select max(c.version) + 1, ${source}, ${sourceDate}::date, ${stored}::jsonb, ${connectionId ?? null}::uuid
    from bill_catalogues c
    returning version`.execute(tx);
  const version = added.rows[0]?.version;
  if (version === undefined) throw new Error("the catalogue was not added");
  return version;
}
