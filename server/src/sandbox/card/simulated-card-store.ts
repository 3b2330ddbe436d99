/** The simulated network's tokens and cards, in its own schema and over its own connections. */
import type pg from "pg";
import type { CardLinkOrder } from "../../rails/card.ts";
import { booksOf, inBooks } from "../in-books.ts";
import type { DeclineCode } from "./card-decline.ts";
import type { KnownCard } from "./read-card.ts";

interface CardRow {
  readonly brand: KnownCard["brand"];
  readonly last4: string;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly bank: string;
  readonly behaviour: KnownCard["behaviour"];
  readonly fingerprint: string | null;
}

const cardColumns = "brand, last4, exp_month, exp_year, bank, behaviour, fingerprint";

/** An attempt to link, as it was decided. One that was linked stays so in this answer after it was unlinked. */
export type RecordedLink =
  | { readonly status: "declined"; readonly code: DeclineCode; readonly fingerprint: string | null }
  | { readonly status: "linked"; readonly token: string; readonly card: KnownCard };

/** How a card is judged that was typed in. */
export interface Judgement {
  readonly card: KnownCard;
  /** What it is charged by, if it is linked. */
  readonly token: string;
  readonly code: DeclineCode | null;
}

/** Keeps a card under a token that is good for one link. Tokens that ran out go at the same time. */
export async function recordToken(
  pool: pg.Pool,
  sandbox: string,
  token: string,
  card: KnownCard,
  times: { readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await booksOf(pool, sandbox).query("delete from simulated_card.tokens where sandbox = $1 and expires_at <= $2", [
    sandbox,
    times.now,
  ]);
  await booksOf(pool, sandbox).query(
    `insert into simulated_card.tokens (sandbox, token, expires_at, ${cardColumns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [sandbox, token, times.expiresAt, ...cardValues(card)],
  );
}

/**
 * Books an attempt to link. The first order under a link id spends the token and decides; a twin waits on its row and
 * then reads what was decided. `decide` says whether the token's card is declined.
 */
export function recordLink(
  pool: pg.Pool,
  order: CardLinkOrder,
  { token, now, decide }: { readonly token: string; readonly now: Date; decide(card: KnownCard): DeclineCode | null },
): Promise<RecordedLink> {
  const key = [order.environmentId, order.linkId];
  return inBooks(pool, order.environmentId, async (client) => {
    const claimed = await client.query<{ attempts: number }>(
      `insert into simulated_card.links as l (sandbox, link_id, customer_id, status, decline_code, attempts)
       values ($1, $2, $3, 'declined', 'invalid_token', 1)
       on conflict (sandbox, link_id) do update set attempts = l.attempts + 1
       returning l.attempts`,
      [...key, order.customerId],
    );
    if (claimed.rows[0]?.attempts !== 1) return readLink(client, key);
    const card = await spendToken(client, order, now);
    const code = card === undefined ? "invalid_token" : decide(card);
    if (card === undefined || code !== null) await decline(client, key, code ?? "invalid_token", card);
    else await keepCard(client, key, token, card);
    return readLink(client, key);
  });
}

/** Takes the card that was typed in on the bank's page, if nobody was faster. */
export function enterCard(pool: pg.Pool, sandbox: string, linkId: string, entered: Judgement): Promise<void> {
  const key = [sandbox, linkId];
  return inBooks(pool, sandbox, async (client) => {
    const open = await client.query(
      "select 1 from simulated_card.links where sandbox = $1 and link_id = $2 and status = 'open' for update",
      key,
    );
    if (open.rows.length === 0) return;
    const { card, token, code } = entered;
    if (code === null) await keepCard(client, key, token, card);
    else await decline(client, key, code, card);
  });
}

/** What was decided about a link; undefined while nothing was. */
export function findDecision(pool: pg.Pool, sandbox: string, linkId: string): Promise<RecordedLink | undefined> {
  return inBooks(pool, sandbox, async (client) => {
    const decided = await client.query(
      `select 1 from simulated_card.links
       where sandbox = $1 and link_id = $2 and status in ('declined', 'linked', 'unlinked')`,
      [sandbox, linkId],
    );
    return decided.rows.length === 0 ? undefined : readLink(client, [sandbox, linkId]);
  });
}

async function spendToken(client: pg.ClientBase, order: CardLinkOrder, now: Date): Promise<KnownCard | undefined> {
  const spent = await client.query<CardRow>(
    `update simulated_card.tokens set link_id = $2
     where sandbox = $1 and token = $3 and link_id is null and expires_at > $4
     returning ${cardColumns}`,
    [order.environmentId, order.linkId, order.cardToken, now],
  );
  return spent.rows.map(toCard)[0];
}

async function decline(
  client: pg.ClientBase,
  key: readonly string[],
  code: DeclineCode,
  card: KnownCard | undefined,
): Promise<void> {
  await client.query(
    "update simulated_card.links set status = 'declined', decline_code = $3, fingerprint = $4 where sandbox = $1 and link_id = $2",
    [...key, code, card?.fingerprint ?? null],
  );
}

async function keepCard(client: pg.ClientBase, key: readonly string[], token: string, card: KnownCard): Promise<void> {
  await client.query(
    `update simulated_card.links set status = 'linked', decline_code = null, token = $3,
       (${cardColumns}) = ($4, $5, $6, $7, $8, $9, $10)
     where sandbox = $1 and link_id = $2`,
    [...key, token, ...cardValues(card)],
  );
}

async function readLink(client: pg.ClientBase, key: readonly string[]): Promise<RecordedLink> {
  const found = await client.query<CardRow & { readonly token: string | null; readonly decline_code: DeclineCode }>(
    `select token, decline_code, ${cardColumns} from simulated_card.links where sandbox = $1 and link_id = $2`,
    [...key],
  );
  const [row] = found.rows;
  if (row === undefined) throw new Error("the simulated network's books gave no answer");
  const { token, decline_code: code, fingerprint } = row;
  if (token === null) return { status: "declined", code, fingerprint };
  return { status: "linked", token, card: toCard(row) };
}

/** The card behind a token, unless it was unlinked. */
export async function findCard(pool: pg.Pool, sandbox: string, token: string): Promise<KnownCard | undefined> {
  const found = await booksOf(pool, sandbox).query<CardRow>(
    `select ${cardColumns} from simulated_card.links where sandbox = $1 and token = $2 and status = 'linked'`,
    [sandbox, token],
  );
  return found.rows.map(toCard)[0];
}

export async function unlinkCard(pool: pg.Pool, sandbox: string, token: string): Promise<void> {
  await booksOf(pool, sandbox).query(
    "update simulated_card.links set status = 'unlinked' where sandbox = $1 and token = $2 and status = 'linked'",
    [sandbox, token],
  );
}

function cardValues(card: KnownCard): (string | number | null)[] {
  return [card.brand, card.last4, card.expMonth, card.expYear, card.bank, card.behaviour, card.fingerprint];
}

function toCard({ exp_month: expMonth, exp_year: expYear, ...row }: CardRow): KnownCard {
  const { brand, last4, bank, behaviour, fingerprint } = row;
  return { brand, last4, expMonth, expYear, bank, behaviour, fingerprint };
}
