/** Rows of plans' pages, of visits at them, and of the messages that carry an address. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../../platform/secrets/reseal.ts";
import { tryLastsSeconds } from "../../rails/message-try.ts";
import { hashPageToken } from "../pages/page-token.ts";
import type { PlanLinkMessage, PlanPage, PlanVisit } from "./plan-page.ts";

export async function insertPlanPage(tx: Tx, sealer: Sealer, page: PlanPage, token: string): Promise<void> {
  const environmentId = tx.environment.id;
  await tx
    .insertInto("plan_pages")
    .values({
      environment_id: environmentId,
      id: page.id,
      loan_id: page.loanId,
      customer_id: page.customerId,
      token_hash: hashPageToken(token),
      sealed_token: sealer.seal(token, sealedContext(sealedPlanToken, environmentId, page.id)),
      created_at: page.createdAt,
      expires_at: page.expiresAt,
    })
    .execute();
}

function selectPages(tx: Tx) {
  return tx
    .selectFrom("plan_pages")
    .select(["id", "loan_id", "customer_id", "created_at", "expires_at"])
    .where("environment_id", "=", tx.environment.id);
}

type PageRow = Awaited<ReturnType<ReturnType<typeof selectPages>["executeTakeFirstOrThrow"]>>;

function toPage(row: PageRow): PlanPage {
  const { id, loan_id: loanId, customer_id: customerId } = row;
  return { id, loanId, customerId, createdAt: row.created_at, expiresAt: row.expires_at };
}

export async function findPlanPage(tx: Tx, id: string): Promise<PlanPage | undefined> {
  const row = await selectPages(tx).where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : toPage(row);
}

/** The loan's newest, which may be too old by now. */
export async function findCurrentPage(tx: Tx, loanId: string): Promise<PlanPage | undefined> {
  const row = await selectPages(tx).where("loan_id", "=", loanId).where("replaced_at", "is", null).executeTakeFirst();
  return row === undefined ? undefined : toPage(row);
}

export async function replacePage(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("plan_pages")
    .set({ replaced_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("replaced_at", "is", null)
    .execute();
}

export async function openPlanToken(tx: Tx, sealer: Sealer, id: string): Promise<string> {
  const row = await tx
    .selectFrom("plan_pages")
    .select("sealed_token")
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return sealer.open(row.sealed_token, sealedContext(sealedPlanToken, tx.environment.id, id)).toString("utf8");
}

export async function insertVisit(tx: Tx, visit: PlanVisit, token: string): Promise<void> {
  await tx
    .insertInto("plan_visits")
    .values({
      environment_id: tx.environment.id,
      id: visit.id,
      page_id: visit.pageId,
      phone: visit.phone,
      token_hash: hashPageToken(token),
      created_at: tx.environment.clock.now(),
      expires_at: visit.expiresAt,
    })
    .execute();
}

export async function findVisit(tx: Tx, id: string): Promise<PlanVisit | undefined> {
  const row = await tx
    .selectFrom("plan_visits")
    .select(["id", "page_id", "phone", "expires_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { id: row.id, pageId: row.page_id, phone: row.phone, expiresAt: row.expires_at };
}

export async function endVisit(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("plan_visits")
    .set({ left_at: tx.environment.clock.now() })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("left_at", "is", null)
    .execute();
}

/** Remembers which plan a card page leads back to. */
export async function insertPlanCardLink(tx: Tx, linkId: string, pageId: string): Promise<void> {
  await tx
    .insertInto("plan_card_links")
    .values({ environment_id: tx.environment.id, link_id: linkId, page_id: pageId })
    .execute();
}

export async function findPageIdByCardLink(tx: Tx, linkId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("plan_card_links")
    .select("page_id")
    .where("environment_id", "=", tx.environment.id)
    .where("link_id", "=", linkId)
    .executeTakeFirst();
  return row?.page_id;
}

/** False when the loan has its message already: it was paid out a second time. */
export async function insertLinkMessage(tx: Tx, { loanId, messageId, createdAt }: PlanLinkMessage): Promise<boolean> {
  const inserted = await tx
    .insertInto("plan_link_messages")
    .values({ environment_id: tx.environment.id, loan_id: loanId, message_id: messageId, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(["environment_id", "loan_id"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** A message that no gateway has carried yet. */
export async function findWaitingMessage(tx: Tx, loanId: string): Promise<PlanLinkMessage | undefined> {
  const row = await tx
    .selectFrom("plan_link_messages")
    .select(["loan_id", "message_id", "tries", "created_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("loan_id", "=", loanId)
    .where("status", "=", "waiting")
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { loanId: row.loan_id, messageId: row.message_id, tries: row.tries, createdAt: row.created_at };
}

export async function endLinkMessage(tx: Tx, loanId: string, status: "sent" | "refused" | "unclear"): Promise<void> {
  await tx
    .updateTable("plan_link_messages")
    .set({ status })
    .where("environment_id", "=", tx.environment.id)
    .where("loan_id", "=", loanId)
    .where("status", "=", "waiting")
    .execute();
}

/** Counts a try before it is made. False when another worker makes one, or the message has ended. */
export async function countLinkTry(tx: Tx, loanId: string, after: number | null): Promise<boolean> {
  const waiting = tx
    .updateTable("plan_link_messages")
    .set((set) => ({ tries: set("tries", "+", 1), tried_at: sql`clock_timestamp()` }))
    .where("environment_id", "=", tx.environment.id)
    .where("loan_id", "=", loanId)
    .where("status", "=", "waiting");
  const alone = waiting
    .where("tries", "=", after ?? 0)
    .where(({ or, eb }) => or([eb("tried_at", "is", null), eb("tried_at", "<", longAgo)]));
  const counted = await (after === null ? waiting : alone).executeTakeFirst();
  return counted.numUpdatedRows === 1n;
}

const longAgo = sql<Date>`clock_timestamp() - make_interval(secs => ${tryLastsSeconds})`;

/** Notes that tries have ended without a clear answer; how often each was tried, by the loan's id. */
export async function endLinkTries(
  tx: Tx,
  orders: readonly { readonly loanId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const loanIds = orders.map(({ loanId }) => loanId);
  const rows = await tx
    .updateTable("plan_link_messages")
    .set({ tried_at: null })
    .where("environment_id", "=", tx.environment.id)
    .where("loan_id", "in", loanIds)
    .where("status", "=", "waiting")
    .returning(["loan_id", "tries"])
    .execute();
  return new Map(rows.map((row) => [row.loan_id, row.tries]));
}

/** What opens the door of a plan's page, kept so that its address can be shown again. */
const sealedPlanToken = {
  table: "plan_pages",
  column: "sealed_token",
  key: "id",
} as const satisfies SealedColumn;

export const planSealedColumns: readonly SealedColumn[] = [sealedPlanToken];
