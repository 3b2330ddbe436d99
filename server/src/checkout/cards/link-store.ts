/** Rows of card links; their moves are compare-and-set. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { sealedContext } from "../../platform/secrets/reseal.ts";
import { type CardLink, type LinkStatus, mostDeclines } from "./card-link.ts";
import { sealedCardToken, sealedPageToken, sealedRedirectUrl } from "./sealed-columns.ts";

export interface NewLink {
  readonly id: string;
  readonly customerId: string;
  readonly phone: string;
  readonly callbackUrl: string | null;
  readonly connectionId: string | null;
  readonly token: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

export async function insertLink(tx: Tx, sealer: Sealer, link: NewLink): Promise<void> {
  const { clock, id: environmentId } = tx.environment;
  await tx
    .insertInto("card_links")
    .values({
      environment_id: environmentId,
      id: link.id,
      customer_id: link.customerId,
      phone: link.phone,
      token_hash: link.tokenHash,
      sealed_token: sealer.seal(link.token, sealedContext(sealedPageToken, environmentId, link.id)),
      callback_url: link.callbackUrl,
      connection_id: link.connectionId,
      status: "pending",
      created_at: clock.now(),
      expires_at: link.expiresAt,
      updated_at: clock.now(),
    })
    .execute();
}

/** Links of the customer that could still be used make way for a new one. */
export async function makeOthersStale(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable("card_links")
    .set((set) => ({ status: "stale", failure_code: null, failure_message: null, version: set("version", "+", 1) }))
    .set({ updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("customer_id", "=", customerId)
    .where("status", "in", ["pending", "declined"])
    .execute();
}

function selectLinks(tx: Tx) {
  return tx
    .selectFrom("card_links")
    .select(["id", "customer_id", "callback_url", "status", "version", "attempt_id", "queries", "card_id"])
    .select(["failure_code", "failure_message", "phone", "declines", "connection_id", "created_at", "expires_at"])
    .select((row) => row("sealed_card_token", "is", null).as("has_no_token"))
    .where("environment_id", "=", tx.environment.id);
}

type LinkRow = Awaited<ReturnType<ReturnType<typeof selectLinks>["executeTakeFirstOrThrow"]>>;

function toLink(row: LinkRow): CardLink {
  const failed = row.failure_code !== null && row.failure_message !== null;
  return {
    id: row.id,
    customerId: row.customer_id,
    phone: row.phone,
    callbackUrl: row.callback_url,
    connectionId: row.connection_id,
    status: row.status as LinkStatus,
    version: row.version,
    atProcessor: row.status === "processing" && Boolean(row.has_no_token),
    attemptId: row.attempt_id,
    queries: row.queries,
    declines: row.declines,
    cardId: row.card_id,
    failure: failed ? { code: row.failure_code ?? "", message: row.failure_message ?? "" } : null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export async function findLink(tx: Tx, id: string): Promise<CardLink | undefined> {
  const row = await selectLinks(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toLink(row);
}

/** How many links the person was given since a moment at the lender, and how many cards were refused with them. */
export async function countTries(
  tx: Tx,
  customerId: string,
  since: Date,
): Promise<{ readonly links: number; readonly declines: number }> {
  const found = await sql<{ links: number; declines: number }>`
    select links, declines from read_link_tries(${customerId}, ${since})`.execute(tx);
  const [counted] = found.rows;
  if (counted === undefined) throw new Error("the tries of a customer were not counted");
  return counted;
}

/** Takes the link for one try, while it can be used. Without a token the card is typed in elsewhere. False when it cannot, or somebody else was faster. */
export async function claimLink(
  tx: Tx,
  sealer: Sealer,
  { id, cardToken, attemptId }: { readonly id: string; readonly cardToken: string | null; readonly attemptId: string },
): Promise<boolean> {
  const { clock, id: environmentId } = tx.environment;
  const claimed = await tx
    .updateTable("card_links")
    .set((set) => ({ status: "processing", attempt_id: attemptId, queries: 0, version: set("version", "+", 1) }))
    .set({
      sealed_card_token:
        cardToken === null ? null : sealer.seal(cardToken, sealedContext(sealedCardToken, environmentId, id)),
    })
    .set({ failure_code: null, failure_message: null, updated_at: clock.now() })
    .where("environment_id", "=", environmentId)
    .where("id", "=", id)
    .where("status", "in", ["pending", "declined"])
    .where("declines", "<", mostDeclines)
    .where("expires_at", ">", clock.now())
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** The vault's token of the try under way. */
export async function openCardToken(tx: Tx, sealer: Sealer, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("card_links")
    .select("sealed_card_token")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined || row.sealed_card_token === null) return undefined;
  const context = sealedContext(sealedCardToken, tx.environment.id, id);
  return sealer.open(row.sealed_card_token, context).toString("utf8");
}

/** A try at a processor's page. */
export interface PageAttempt {
  readonly id: string;
  readonly attemptId: string;
}

function pageAttempt(tx: Tx, { id, attemptId }: PageAttempt) {
  return tx
    .updateTable("card_links")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .where("attempt_id", "=", attemptId)
    .where("sealed_card_token", "is", null);
}

/** Keeps where the holder is sent. False when the try is over, or its page is kept. */
export async function keepRedirectUrl(tx: Tx, sealer: Sealer, attempt: PageAttempt, url: string): Promise<boolean> {
  const sealed = sealer.seal(url, sealedContext(sealedRedirectUrl, tx.environment.id, attempt.id));
  const kept = await pageAttempt(tx, attempt)
    .set({ sealed_redirect_url: sealed, updated_at: tx.environment.clock.now() })
    .where("sealed_redirect_url", "is", null)
    .executeTakeFirst();
  return kept.numUpdatedRows === 1n;
}

export async function openRedirectUrl(tx: Tx, sealer: Sealer, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("card_links")
    .select("sealed_redirect_url")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined || row.sealed_redirect_url === null) return undefined;
  const context = sealedContext(sealedRedirectUrl, tx.environment.id, id);
  return sealer.open(row.sealed_redirect_url, context).toString("utf8");
}

/** Gives up a try whose page nobody was sent to: the link is as it was before. */
export async function dropAttempt(tx: Tx, attempt: PageAttempt): Promise<void> {
  await pageAttempt(tx, attempt)
    .set((set) => ({ status: "pending", version: set("version", "+", 1), updated_at: tx.environment.clock.now() }))
    .where("sealed_redirect_url", "is", null)
    .execute();
}

/** The holder has left the page, for good. */
export async function leavePage(tx: Tx, attempt: PageAttempt): Promise<void> {
  await pageAttempt(tx, attempt)
    .set((set) => ({ status: "pending", version: set("version", "+", 1), sealed_redirect_url: null }))
    .set({ updated_at: tx.environment.clock.now() })
    .execute();
}

export type LinkEnd =
  | { readonly to: "linked"; readonly cardId: string }
  | { readonly to: "declined"; readonly code: string; readonly message: string };

/** Ends the try under way, whose lock the caller holds. */
export async function endAttempt(
  tx: Tx,
  { id, attemptId, end }: { readonly id: string; readonly attemptId: string; readonly end: LinkEnd },
): Promise<CardLink> {
  await tx
    .updateTable("card_links")
    .set((set) => ({ status: end.to, version: set("version", "+", 1), sealed_card_token: null }))
    .set({ sealed_redirect_url: null })
    .set((set) => ({ declines: set("declines", "+", end.to === "declined" ? 1 : 0) }))
    .set(end.to === "linked" ? { card_id: end.cardId } : { failure_code: end.code, failure_message: end.message })
    .set({ updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .where("attempt_id", "=", attemptId)
    .execute();
  const link = await findLink(tx, id);
  if (link === undefined || link.status !== end.to) throw new Error(`card link ${id} was not locked`);
  return link;
}

/** Holds the try under way, so that its end is written once. Locks: the link's row. */
export async function lockAttempt(tx: Tx, id: string, attemptId: string): Promise<CardLink | undefined> {
  const row = await selectLinks(tx)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .where("attempt_id", "=", attemptId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toLink(row);
}
