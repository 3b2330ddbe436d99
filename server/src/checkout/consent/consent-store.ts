/** Rows of codes and of what was agreed to. */
import { sql } from "kysely";
import type { Tx } from "../../platform/database/database.ts";
import { tryLastsSeconds } from "../../rails/message-try.ts";
import { type CodeStatus, type CodeSubject, type ConsentCode, type ConsentRecord, mostAttempts } from "./consent.ts";
import type { CodeTerms, ConsentTerms } from "./terms.ts";

/** Where a code names what it answers for. */
const subjectColumns = { loan: "loan_id", contact_change: "change_id", plan_page: "page_id" } as const;

function selectCodes(tx: Tx) {
  return tx
    .selectFrom("consent_codes")
    .select(["id", "loan_id", "change_id", "page_id", "customer_id", "code_hash", "terms", "terms_hash", "channel"])
    .select(["phone", "destination", "message_id", "attempts", "status", "sent_at", "expires_at"])
    .where("environment_id", "=", tx.environment.id);
}

type CodeRow = Awaited<ReturnType<ReturnType<typeof selectCodes>["executeTakeFirstOrThrow"]>>;

function toCode(row: CodeRow): ConsentCode {
  return {
    id: row.id,
    subject: subjectOf(row),
    customerId: row.customer_id,
    codeHash: row.code_hash,
    terms: row.terms as CodeTerms,
    termsHash: row.terms_hash,
    channel: row.channel as "sms",
    phone: row.phone,
    destination: row.destination,
    messageId: row.message_id,
    attempts: row.attempts,
    status: row.status as CodeStatus,
    sentAt: row.sent_at,
    expiresAt: row.expires_at,
  };
}

function subjectOf({ loan_id, change_id, page_id }: Pick<CodeRow, "loan_id" | "change_id" | "page_id">): CodeSubject {
  if (loan_id !== null) return { kind: "loan", id: loan_id };
  if (change_id !== null) return { kind: "contact_change", id: change_id };
  return { kind: "plan_page", id: page_id ?? "" };
}

export async function insertCode(tx: Tx, code: ConsentCode): Promise<void> {
  await tx
    .insertInto("consent_codes")
    .values({
      environment_id: tx.environment.id,
      id: code.id,
      [subjectColumns[code.subject.kind]]: code.subject.id,
      customer_id: code.customerId,
      code_hash: code.codeHash,
      terms: JSON.stringify(code.terms),
      terms_hash: code.termsHash,
      channel: code.channel,
      phone: code.phone,
      destination: code.destination,
      message_id: code.messageId,
      sent_at: code.sentAt,
      expires_at: code.expiresAt,
    })
    .execute();
}

/** The code that the customer can answer; a loan, a change or a page has at most one. */
export async function findLiveCode(tx: Tx, { kind, id }: CodeSubject): Promise<ConsentCode | undefined> {
  const row = await selectCodes(tx)
    .where(subjectColumns[kind], "=", id)
    .where("status", "=", "live")
    .executeTakeFirst();
  return row === undefined ? undefined : toCode(row);
}

/** A code whose message no gateway has carried yet, and how often one was asked to. */
export async function findUnsentCode(
  tx: Tx,
  id: string,
): Promise<{ readonly code: ConsentCode; readonly tries: number } | undefined> {
  const row = await selectCodes(tx)
    .select("message_tries")
    .where("id", "=", id)
    .where("message_status", "=", "waiting")
    .executeTakeFirst();
  return row && { code: toCode(row), tries: row.message_tries };
}

/** The codes whose messages no gateway has carried yet, oldest first. */
export async function findUnsentCodes(tx: Tx): Promise<string[]> {
  const rows = await selectCodes(tx).where("message_status", "=", "waiting").orderBy("id").limit(100).execute();
  return rows.map(({ id }) => id);
}

/** Whatever waits for an answer from the customer's phone needs a new code: the phone is another one now. */
export async function replaceLiveCodes(tx: Tx, customerId: string): Promise<void> {
  await tx
    .updateTable("consent_codes")
    .set({ status: "replaced" })
    .where("environment_id", "=", tx.environment.id)
    .where("customer_id", "=", customerId)
    .where("status", "=", "live")
    .execute();
}

/** Compare-and-set: false when the code was used or replaced before. */
export async function moveCode(tx: Tx, id: string, to: Exclude<CodeStatus, "live">): Promise<boolean> {
  const moved = await tx
    .updateTable("consent_codes")
    .set({ status: to })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "live")
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/**
 * Takes one of the code's tries; undefined when none is left, or the code is too old or gone. The row's lock makes
 * guesses that arrive together take their tries one after the other.
 */
export async function takeTry(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx
    .updateTable("consent_codes")
    .set((set) => ({ attempts: set("attempts", "+", 1) }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("status", "=", "live")
    .where("attempts", "<", mostAttempts)
    .where("expires_at", ">", tx.environment.clock.now())
    .returning("attempts")
    .executeTakeFirst();
  return row?.attempts;
}

/** When codes were sent since a moment, newest first, at most as many as any limit needs. */
export async function readSendTimes(
  tx: Tx,
  of: { readonly subject: CodeSubject } | { readonly customerId: string; readonly kind: CodeSubject["kind"] },
  since: Date,
): Promise<Date[]> {
  const kind = subjectColumns["subject" in of ? of.subject.kind : of.kind];
  const [column, id] = "subject" in of ? ([kind, of.subject.id] as const) : (["customer_id", of.customerId] as const);
  const rows = await tx
    .selectFrom("consent_codes")
    .select("sent_at")
    .where("environment_id", "=", tx.environment.id)
    .where(column, "=", id)
    .where(kind, "is not", null)
    .where("sent_at", ">", since)
    .orderBy("sent_at", "desc")
    .limit(100)
    .execute();
  return rows.map((row) => row.sent_at);
}

/** What became of a code's message. */
export async function endMessage(tx: Tx, id: string, status: "sent" | "refused" | "unclear"): Promise<void> {
  await tx
    .updateTable("consent_codes")
    .set({ message_status: status })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("message_status", "=", "waiting")
    .execute();
}

/** Counts a try before it is made. False when another worker makes one, or the message has ended. */
export async function countMessageTry(tx: Tx, id: string, after: number | null): Promise<boolean> {
  const waiting = tx
    .updateTable("consent_codes")
    .set((set) => ({ message_tries: set("message_tries", "+", 1), message_tried_at: sql`clock_timestamp()` }))
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .where("message_status", "=", "waiting");
  const alone = waiting
    .where("message_tries", "=", after ?? 0)
    .where(({ or, eb }) => or([eb("message_tried_at", "is", null), eb("message_tried_at", "<", longAgo)]));
  const counted = await (after === null ? waiting : alone).executeTakeFirst();
  return counted.numUpdatedRows === 1n;
}

const longAgo = sql<Date>`clock_timestamp() - make_interval(secs => ${tryLastsSeconds})`;

/** Notes that tries have ended without a clear answer; how often each was tried, by the code's id. */
export async function endMessageTries(tx: Tx, codes: readonly { readonly id: string }[]): Promise<Map<string, number>> {
  const ids = codes.map(({ id }) => id);
  const rows = await tx
    .updateTable("consent_codes")
    .set({ message_tried_at: null })
    .where("environment_id", "=", tx.environment.id)
    .where("id", "in", ids)
    .where("message_status", "=", "waiting")
    .returning(["id", "message_tries"])
    .execute();
  return new Map(rows.map(({ id, message_tries: queries }) => [id, queries]));
}

export async function insertRecord(tx: Tx, record: ConsentRecord): Promise<void> {
  await tx
    .insertInto("consent_records")
    .values({
      environment_id: tx.environment.id,
      id: record.id,
      loan_id: record.loanId,
      customer_id: record.customerId,
      code_id: record.codeId,
      terms: JSON.stringify(record.terms),
      schedule_hash: record.scheduleHash,
      channel: record.channel,
      destination: record.destination,
      message_id: record.messageId,
      requested_at: record.requestedAt,
      consented_at: record.consentedAt,
    })
    .execute();
}

export async function findRecord(tx: Tx, loanId: string): Promise<ConsentRecord | undefined> {
  const row = await tx
    .selectFrom("consent_records")
    .select(["id", "loan_id", "customer_id", "code_id", "terms", "schedule_hash", "channel", "destination"])
    .select(["message_id", "requested_at", "consented_at"])
    .where("environment_id", "=", tx.environment.id)
    .where("loan_id", "=", loanId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.id,
    loanId: row.loan_id,
    customerId: row.customer_id,
    codeId: row.code_id,
    terms: row.terms as ConsentTerms,
    scheduleHash: row.schedule_hash,
    channel: row.channel as "sms",
    destination: row.destination,
    messageId: row.message_id,
    requestedAt: row.requested_at,
    consentedAt: row.consented_at,
  };
}
