import { type RawBuilder, sql } from "kysely";
import { kobo } from "../../src/money/kobo.ts";
import type { Tx } from "../../src/platform/database/database.ts";
import type { SearchedKind } from "../../src/platform/records/search.ts";
import type { SealedColumn } from "../../src/platform/secrets/reseal.ts";
import { type OpenOrder, openOrder } from "../../src/rails/order.ts";
import type { GiftCard, GiftCardStatus } from "./gift-card.ts";

export const sealedCode: SealedColumn = { table: "gift_cards", column: "sealed_code", key: "id" };

export const searchedGiftCards: SearchedKind = {
  kind: "gift_card",
  table: "gift_cards",
  scope: "gift_cards:read",
  path: "/gift-cards/{id}",
  title: sql`t.reference`,
  details: sql`array[t.brand]`,
  status: sql`t.status`,
  amountColumn: "amount",
  newestBy: "list_position",
  exactly: ["reference"],
};

interface GiftCardRow {
  readonly id: string;
  readonly reference: string;
  readonly source_account_id: string;
  readonly brand: string;
  readonly amount: bigint;
  readonly status: GiftCardStatus;
  readonly version: number;
  readonly failure_code: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
}

const columns = sql`
  id, reference, source_account_id, brand, amount, status, version, failure_code, created_at, sent_at`;

function toGiftCard(row: GiftCardRow): GiftCard {
  return {
    id: row.id,
    reference: row.reference,
    sourceAccountId: row.source_account_id,
    brand: row.brand,
    amount: kobo(row.amount),
    status: row.status,
    version: row.version,
    failureCode: row.failure_code,
    createdAt: row.created_at,
  };
}

export async function insertGiftCards(
  tx: Tx,
  cards: readonly GiftCard[],
  firstPosition: RawBuilder<bigint>,
): Promise<void> {
  const rows = cards.map(
    (card, index) => sql`(${tx.environment.id}, ${card.id}, ${card.reference}, ${card.sourceAccountId}, ${card.brand},
      ${card.amount}, ${card.status}, (select position from first) + ${index}, ${card.createdAt})`,
  );
  await sql`
    with first (position) as materialized (select ${firstPosition})
    insert into gift_cards (environment_id, id, reference, source_account_id, brand, amount, status, list_position,
      created_at)
    values ${sql.join(rows)}`.execute(tx);
}

export async function findGiftCard(tx: Tx, id: string): Promise<GiftCard | undefined> {
  const row = await readRow(tx, id);
  return row && toGiftCard(row);
}

export async function findOpenOrder(tx: Tx, id: string): Promise<OpenOrder<GiftCard> | undefined> {
  const row = await readRow(tx, id);
  return row && openOrder(tx, toGiftCard(row), row.sent_at);
}

async function readRow(tx: Tx, id: string): Promise<GiftCardRow | undefined> {
  const found = await sql<GiftCardRow>`
    select ${columns} from gift_cards where environment_id = ${tx.environment.id} and id = ${id}`.execute(tx);
  return found.rows[0];
}

/** Moves a card on, if it still is where it is thought to be. */
export async function moveGiftCard(
  tx: Tx,
  { id, from, changes }: { readonly id: string; readonly from: GiftCardStatus; readonly changes: RawBuilder<unknown> },
): Promise<GiftCard | undefined> {
  const moved = await sql<GiftCardRow>`
    update gift_cards set version = version + 1, ${changes}
    where environment_id = ${tx.environment.id} and id = ${id} and status = ${from}
    returning ${columns}`.execute(tx);
  return moved.rows[0] && toGiftCard(moved.rows[0]);
}
