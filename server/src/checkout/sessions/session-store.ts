/** Rows of checkout sessions; their moves are compare-and-set. */
import { sql } from "kysely";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { earliestIdFrom, idBeyond } from "../../platform/database/ids.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../../platform/secrets/reseal.ts";
import { hashPageToken } from "../pages/page-token.ts";
import type { CheckoutSession, OrderItem, SessionStatus } from "./checkout-session.ts";

export async function insertSession(tx: Tx, sealer: Sealer, session: CheckoutSession, token: string): Promise<void> {
  const environmentId = tx.environment.id;
  await tx
    .insertInto("checkout_sessions")
    .values({
      environment_id: environmentId,
      id: session.id,
      customer_id: session.customerId,
      order_reference: session.orderReference,
      amount: session.amount,
      items: JSON.stringify(session.items.map((item) => ({ ...item, amount: String(item.amount) }))),
      bank_code: session.bankCode,
      bank_account_no: session.bankAccountNo,
      success_url: session.successUrl,
      cancel_url: session.cancelUrl,
      status: session.status,
      loan_id: session.loanId,
      token_hash: hashPageToken(token),
      sealed_token: sealer.seal(token, sealedContext(sealedSessionToken, environmentId, session.id)),
      version: session.version,
      expires_at: session.expiresAt,
      created_at: session.createdAt,
      updated_at: session.updatedAt,
    })
    .execute();
}

function selectSessions(tx: Tx) {
  return tx
    .selectFrom("checkout_sessions")
    .select(["id", "customer_id", "order_reference", "amount", "items", "bank_code", "bank_account_no", "success_url"])
    .select(["cancel_url", "status", "loan_id", "version", "expires_at", "created_at", "updated_at"])
    .where("environment_id", "=", tx.environment.id);
}

/** Locks: the session's row, when asked to. A caller that also locks its loan has locked that before. */
export async function findSession(
  tx: Tx,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<CheckoutSession | undefined> {
  const row = await selectSessions(tx)
    .where("id", "=", id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row === undefined ? undefined : toSession(row);
}

/** The one that the order belongs to. */
export async function findSessionByOrder(tx: Tx, orderReference: string): Promise<CheckoutSession | undefined> {
  const row = await selectSessions(tx)
    .where("order_reference", "=", orderReference)
    .where("status", "in", ["open", "completed"])
    .executeTakeFirst();
  return row === undefined ? undefined : toSession(row);
}

/** Locks: the order's reference, so that twins come one after the other and only the first one makes a session. */
export async function lockOrder(tx: Tx, orderReference: string): Promise<void> {
  const place = `checkout_sessions/${tx.environment.id}/${orderReference}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(tx);
}

export async function openSessionToken(tx: Tx, sealer: Sealer, id: string): Promise<string> {
  const row = await tx
    .selectFrom("checkout_sessions")
    .select("sealed_token")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return sealer.open(row.sealed_token, sealedContext(sealedSessionToken, tx.environment.id, id)).toString("utf8");
}

/** False when the session has a loan already, or has ended. */
export async function setLoan(tx: Tx, id: string, loanId: string): Promise<boolean> {
  const set = await tx
    .updateTable("checkout_sessions")
    .set((column) => ({ loan_id: loanId, version: column("version", "+", 1) }))
    .set({ updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "open")
    .where("loan_id", "is", null)
    .executeTakeFirst();
  return set.numUpdatedRows === 1n;
}

/** Ends an open session that has this loan, or none. Undefined when it is no longer so. */
export async function moveSession(
  tx: Tx,
  { id, loanId, to }: { readonly id: string; readonly loanId: string | null; readonly to: SessionStatus },
): Promise<CheckoutSession | undefined> {
  const moved = await tx
    .updateTable("checkout_sessions")
    .set((column) => ({ status: to, version: column("version", "+", 1) }))
    .set({ updated_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "open")
    .where("loan_id", loanId === null ? "is" : "=", loanId)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n ? findSession(tx, id) : undefined;
}

/** Remembers which checkout a card page leads back to. */
export async function insertCardLink(tx: Tx, linkId: string, sessionId: string): Promise<void> {
  await tx
    .insertInto("checkout_session_card_links")
    .values({ environment_id: tx.environment.id, link_id: linkId, session_id: sessionId })
    .execute();
}

export async function findSessionIdByCardLink(tx: Tx, linkId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("checkout_session_card_links")
    .select("session_id")
    .where("environment_id", "=", tx.environment.id)
    .where("link_id", "=", linkId)
    .executeTakeFirst();
  return row?.session_id;
}

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSessions>["executeTakeFirstOrThrow"]>>;

function toSession(row: SessionRow): CheckoutSession {
  return {
    id: row.id,
    customerId: row.customer_id,
    orderReference: row.order_reference,
    amount: kobo(row.amount),
    items: toItems(row.items),
    bankCode: row.bank_code,
    bankAccountNo: row.bank_account_no,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    status: row.status as SessionStatus,
    loanId: row.loan_id,
    version: row.version,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** JSON has no whole numbers of any size, so amounts are kept as digits. */
function toItems(stored: unknown): OrderItem[] {
  const items = stored as readonly { name: string; quantity: number; amount: string }[];
  return items.map(({ name, quantity, amount }) => ({ name, quantity, amount: kobo(BigInt(amount)) }));
}

/** Lists of checkout sessions, by what they are narrowed down to; each way over an index that ends in the id. */
export interface SessionFilter {
  readonly status: SessionStatus | null;
  readonly customerId: string | null;
  /** In the environment's time; `from` counts in, `to` does not. */
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Newest first: ids carry the time of their making. */
export async function readSessions(
  tx: Tx,
  { status, customerId, from, to }: SessionFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<CheckoutSession[]> {
  let matching = selectSessions(tx);
  if (status !== null) matching = matching.where("status", "=", status);
  if (customerId !== null) matching = matching.where("customer_id", "=", customerId);
  if (from !== null) matching = matching.where("created_at", ">=", from).where("id", ">=", earliestIdFrom(from));
  if (to !== null) matching = matching.where("created_at", "<", to).where("id", "<", idBeyond(to));
  const rows = await matching.orderBy("id", "desc").limit(page.limit).offset(page.skip).execute();
  return rows.map(toSession);
}

/** What opens the session's page, kept so that its address can be shown again. */
const sealedSessionToken = {
  table: "checkout_sessions",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

export const sessionSealedColumns: readonly SealedColumn[] = [sealedSessionToken];
