/** Rows of cards. Which one is the default stands with the customer. */

import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { lockPlaces } from "../../platform/database/lock-places.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { sealedContext } from "../../platform/secrets/reseal.ts";
import type { CardBrand, LinkedCard } from "../../rails/card.ts";
import type { Card } from "./card.ts";
import type { CardLink } from "./card-link.ts";
import { fingerprintPurpose, sealedFingerprint, sealedToken } from "./sealed-columns.ts";

/** More than anybody links; a list needs an end. */
const mostCards = 100;

function selectCards(tx: Tx) {
  return tx
    .selectFrom("customer_cards as c")
    .innerJoin("customers as o", (join) =>
      join.onRef("o.environment_id", "=", "c.environment_id").onRef("o.id", "=", "c.customer_id"),
    )
    .select(["c.id", "c.customer_id", "c.brand", "c.last4", "c.exp_month", "c.exp_year", "c.bank", "c.created_at"])
    .select(["c.connection_id", "o.default_card_id"])
    .where("c.environment_id", "=", tx.environment.id)
    .where("c.removed_at", "is", null);
}

type CardRow = Awaited<ReturnType<ReturnType<typeof selectCards>["executeTakeFirstOrThrow"]>>;

function toCard(row: CardRow): Card {
  return {
    id: row.id,
    customerId: row.customer_id,
    brand: row.brand as CardBrand,
    last4: row.last4,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    bank: row.bank,
    isDefault: row.id === row.default_card_id,
    connectionId: row.connection_id,
    createdAt: row.created_at,
  };
}

/** Newest first. */
export async function readCards(tx: Tx, customerId: string): Promise<Card[]> {
  const rows = await selectCards(tx)
    .where("c.customer_id", "=", customerId)
    .orderBy("c.id", "desc")
    .limit(mostCards)
    .execute();
  return rows.map(toCard);
}

export async function findCard(tx: Tx, id: string): Promise<Card | undefined> {
  const row = await selectCards(tx).where("c.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toCard(row);
}

/** The card that due instalments are charged to. */
export async function findDefaultCard(tx: Tx, customerId: string): Promise<Card | undefined> {
  const row = await selectCards(tx)
    .where("c.customer_id", "=", customerId)
    .whereRef("c.id", "=", "o.default_card_id")
    .executeTakeFirst();
  return row === undefined ? undefined : toCard(row);
}

/** What a card takes over from the link that it came by. */
type NewCardOwner = Pick<CardLink, "id" | "customerId" | "phone" | "connectionId">;

export async function insertCard(
  tx: Tx,
  sealer: Sealer,
  { link, card }: { readonly link: NewCardOwner; readonly card: LinkedCard },
): Promise<string> {
  const { clock, id: environmentId } = tx.environment;
  const id = clock.newId();
  await tx
    .insertInto("customer_cards")
    .values({
      environment_id: environmentId,
      id,
      customer_id: link.customerId,
      link_id: link.id,
      phone: link.phone,
      connection_id: link.connectionId,
      brand: card.brand,
      last4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      bank: card.bank,
      sealed_token: sealer.seal(card.token, sealedContext(sealedToken, environmentId, id)),
      ...fingerprintColumns(sealer, environmentId, id, card),
      created_at: clock.now(),
    })
    .execute();
  return id;
}

function fingerprintColumns(sealer: Sealer, environmentId: string, id: string, { fingerprint }: LinkedCard) {
  if (fingerprint === null) return {};
  return {
    sealed_fingerprint: sealer.seal(fingerprint, sealedContext(sealedFingerprint, environmentId, id)),
    fingerprint_index: sealer.blindIndex(fingerprint, fingerprintPurpose),
  };
}

/** Takes the card away from the customer. Its token stays until the network has forgotten it. */
export async function markRemoved(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("customer_cards")
    .set({ removed_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .execute();
}

export async function forgetToken(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("customer_cards")
    .set({ sealed_token: null })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("removed_at", "is not", null)
    .execute();
}

/** What a network charges a card by, and the connection that has it. */
export interface ChargeableCard {
  readonly token: string;
  readonly connectionId: string | null;
}

/** What the network charges the card by; undefined when the card was removed, unless removed ones are asked for. */
export async function openToken(
  tx: Tx,
  sealer: Sealer,
  id: string,
  { removed = false } = {},
): Promise<ChargeableCard | undefined> {
  const row = await tx
    .selectFrom("customer_cards")
    .select(["sealed_token", "connection_id", "removed_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined || row.sealed_token === null || (row.removed_at !== null) !== removed) return undefined;
  const token = sealer.open(row.sealed_token, sealedContext(sealedToken, tx.environment.id, id)).toString("utf8");
  return { token, connectionId: row.connection_id };
}

/** Rows of cards that a network refused to link, known by what it told of them. */
export interface Refusals {
  readonly count: number;
  readonly lastAt: Date | null;
}

/**
 * How often the card was refused since a moment, by any customer at any merchant of the lender. Locks: the
 * card, so that of tries at once the later one sees the other's end.
 */
export async function lockRefusals(tx: Tx, sealer: Sealer, fingerprint: string, since: Date): Promise<Refusals> {
  const cards = sealer.blindIndexes(fingerprint, fingerprintPurpose);
  const lender = tx.environment.kind === "LIVE" ? "live" : tx.environment.id;
  await lockPlaces(
    tx,
    cards.map((card) => `refused card/${lender}/${card.toString("hex")}`),
  );
  const found = await sql<{ declines: number; last_at: Date | null }>`
    select declines, last_at from read_refused_card(${cards}::bytea[], ${since})`.execute(tx);
  const [row] = found.rows;
  return { count: row?.declines ?? 0, lastAt: row?.last_at ?? null };
}

export async function insertRefusal(tx: Tx, sealer: Sealer, attemptId: string, fingerprint: string): Promise<void> {
  const { id, clock } = tx.environment;
  await tx
    .insertInto("refused_cards")
    .values({
      environment_id: id,
      id: attemptId,
      fingerprint_index: sealer.blindIndex(fingerprint, fingerprintPurpose),
      refused_at: clock.now(),
    })
    .execute();
}
