/** What providers took in: all SQL. In the operator's scope, but for the look-up of whose a credit is. */
import { type RawBuilder, sql } from "kysely";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import type { InboundCredit } from "../rails/inbound.ts";
import type { ConnectionMode } from "../rails/provider.ts";
import type { CeilingReason } from "./inbound-ceiling.ts";
import type { Candidate, StoredCredit, SuspenseReason, SuspenseState, WalletPlace } from "./inbound-credit.ts";

const columns = [
  "id",
  "connection_id",
  "provider",
  "mode",
  "transaction_id",
  "amount",
  "fee",
  "currency",
  "account_number",
  "holder_reference",
  "sender_name",
  "sender_bank",
  "sender_account",
  "network_session_id",
  "paid_at",
  "state",
  "reason",
  "wallet_environment",
  "wallet_id",
  "list_position",
  "created_at",
  "assigned_at",
] as const;

const columnList = sql.join(columns.map((column) => sql.ref(column)));

type CreditRow = Row<"inbound_credits", (typeof columns)[number]>;

/** By which a provider knows a credit. */
export interface CreditKey {
  readonly provider: string;
  readonly mode: ConnectionMode;
  readonly transactionId: string;
}

export interface NewCredit
  extends Pick<StoredCredit, "id" | "connectionId" | "provider" | "mode" | "state" | "reason"> {
  readonly credit: InboundCredit;
  readonly booked: (CountedPlace & { readonly movementId: string }) | null;
}

export interface CountedPlace extends WalletPlace {
  /** The day whose ceiling it uses up; null when an operator assigned it. */
  readonly countedOn: Temporal.PlainDate | null;
}

/** False when it is there already. A twin waits for the first one's transaction to end. */
export async function insertCredit(tx: Tx, stored: NewCredit): Promise<boolean> {
  const { credit, booked } = stored;
  const inserted = await tx
    .insertInto("inbound_credits")
    .values({
      id: stored.id,
      connection_id: stored.connectionId,
      provider: stored.provider,
      mode: stored.mode,
      transaction_id: credit.transactionId,
      amount: credit.amount,
      fee: credit.fee,
      currency: credit.currency,
      account_number: credit.accountNumber,
      holder_reference: credit.holderReference,
      sender_name: credit.senderName,
      sender_bank: credit.senderBank,
      sender_account: credit.senderAccount,
      network_session_id: credit.networkSessionId,
      paid_at: credit.paidAt,
      state: stored.state,
      reason: stored.reason,
      wallet_environment: booked?.environmentId ?? null,
      wallet_id: booked?.walletId ?? null,
      movement_id: booked?.movementId ?? null,
      counted_on: booked?.countedOn?.toString() ?? null,
    })
    .onConflict((conflict) => conflict.constraint("inbound_credits_once").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Gives a credit that was set aside its place in the list. */
export async function listCredit(tx: Tx, id: string, position: bigint): Promise<void> {
  await tx.updateTable("inbound_credits").set({ list_position: position }).where("id", "=", id).execute();
}

export async function findCredit(tx: Tx, key: CreditKey): Promise<StoredCredit | undefined> {
  const { provider, mode, transactionId } = key;
  return one(tx, sql`provider = ${provider} and mode = ${mode} and transaction_id = ${transactionId}`);
}

/** Locks: the credit, before any wallet. */
export async function lockCredit(tx: Tx, id: string): Promise<StoredCredit | undefined> {
  return one(tx, sql`id = ${id}::uuid for update`);
}

async function one(tx: Tx, condition: RawBuilder<unknown>): Promise<StoredCredit | undefined> {
  const found = await sql<CreditRow>`select ${columnList} from inbound_credits where ${condition}`.execute(tx);
  const [row] = found.rows;
  return row && toCredit(row);
}

/** Of these ids, those that are not booked yet. */
export async function filterUnbooked(
  tx: Tx,
  { provider, mode }: Pick<CreditKey, "provider" | "mode">,
  ids: readonly string[],
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    select wanted.id from unnest(${ids}::text[]) as wanted (id)
    where not exists (
      select from inbound_credits c
      where c.provider = ${provider} and c.mode = ${mode} and c.transaction_id = wanted.id)`.execute(tx);
  return found.rows.map(({ id }) => id);
}

/** Whether another credit came under the same session of the interbank switch. Locks the session until the end. */
export async function isSessionSeen(tx: Tx, session: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`jara.inbound/${session}`}, 0))`.execute(tx);
  const found = await sql`select from inbound_credits where network_session_id = ${session} limit 1`.execute(tx);
  return found.rows.length > 0;
}

export async function findCandidates(
  tx: Tx,
  connectionId: string,
  { accountNumber, holderReference }: Pick<InboundCredit, "accountNumber" | "holderReference">,
): Promise<Candidate[]> {
  const found = await sql<{
    environment_id: string;
    wallet_id: string;
    same_connection: boolean;
    number_fits: boolean;
    holder_fits: boolean;
  }>`
    select environment_id, wallet_id, same_connection, number_fits, holder_fits
    from find_wallets_of_credit(${connectionId}::uuid, ${accountNumber}, ${holderReference})`.execute(tx);
  return found.rows.map((row) => ({
    environmentId: row.environment_id,
    walletId: row.wallet_id,
    sameConnection: row.same_connection,
    numberFits: row.number_fits,
    holderFits: row.holder_fits,
  }));
}

export async function markAssigned(
  tx: Tx,
  id: string,
  { environmentId, walletId, movementId, countedOn }: CountedPlace & { readonly movementId: string },
): Promise<boolean> {
  const marked = await tx
    .updateTable("inbound_credits")
    .set({
      state: "assigned",
      wallet_environment: environmentId,
      wallet_id: walletId,
      movement_id: movementId,
      counted_on: countedOn?.toString() ?? null,
      assigned_at: tx.environment.clock.now(),
    })
    .where("id", "=", id)
    .where("state", "=", "open")
    .executeTakeFirst();
  return marked.numUpdatedRows === 1n;
}

/** Whose it is has become clear, and it is more than may go there by itself. */
export async function markAboveCeiling(tx: Tx, id: string, reason: CeilingReason): Promise<void> {
  await tx.updateTable("inbound_credits").set({ reason }).where("id", "=", id).where("state", "=", "open").execute();
}

/** Open ones for which a wallet may have been opened since, oldest first. */
export async function listWaiting(tx: Tx, afterPosition: bigint, atMost: number): Promise<WaitingCredit[]> {
  const found = await sql<CreditRow>`
    select ${columnList} from inbound_credits
    where state = 'open' and reason = 'unknown_account' and list_position > ${afterPosition}
    order by list_position limit ${atMost}`.execute(tx);
  return found.rows.map((row) => ({ credit: toCredit(row), position: row.list_position ?? 0n }));
}

export interface WaitingCredit {
  readonly credit: StoredCredit;
  readonly position: bigint;
}

export async function countSuspense(tx: Tx, state: SuspenseState | null): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from inbound_credits where ${inList(state)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

export async function readSuspense(
  tx: Tx,
  state: SuspenseState | null,
  { skip, limit }: { readonly skip: bigint; readonly limit: number },
): Promise<StoredCredit[]> {
  const found = await sql<CreditRow>`
    select ${columnList} from inbound_credits where ${inList(state)}
    order by list_position desc limit ${limit} offset ${skip}`.execute(tx);
  return found.rows.map(toCredit);
}

function inList(state: SuspenseState | null): RawBuilder<unknown> {
  return state === null ? sql`list_position is not null` : sql`list_position is not null and state = ${state}`;
}

function toCredit(row: CreditRow): StoredCredit {
  const { wallet_environment: environmentId, wallet_id: walletId } = row;
  return {
    id: row.id,
    connectionId: row.connection_id,
    provider: row.provider,
    mode: row.mode as ConnectionMode,
    transactionId: row.transaction_id,
    amount: kobo(row.amount),
    fee: kobo(row.fee),
    currency: row.currency,
    accountNumber: row.account_number,
    holderReference: row.holder_reference,
    senderName: row.sender_name,
    senderBank: row.sender_bank,
    senderAccount: row.sender_account,
    networkSessionId: row.network_session_id,
    paidAt: row.paid_at,
    state: row.state as StoredCredit["state"],
    reason: row.reason as SuspenseReason | null,
    wallet: environmentId === null || walletId === null ? null : { environmentId, walletId },
    createdAt: row.created_at,
    assignedAt: row.assigned_at,
  };
}

/** How far each provider's list of payments was read. */
export interface SweepMark {
  /** Everything before was read. */
  readonly sweptTo: Date;
  /** When what was read long ago was read again. */
  readonly lookedBackAt: Date;
}

export async function readSweepMark(tx: Tx, connectionId: string): Promise<SweepMark | undefined> {
  const row = await tx
    .selectFrom("inbound_sweeps")
    .select(["swept_to", "looked_back_at"])
    .where("connection_id", "=", connectionId)
    .executeTakeFirst();
  return row && { sweptTo: row.swept_to, lookedBackAt: row.looked_back_at };
}

/** Never back: another worker may have been faster. */
export async function moveSweepMark(tx: Tx, connectionId: string, { sweptTo, lookedBackAt }: SweepMark): Promise<void> {
  await sql`
    insert into inbound_sweeps as s (connection_id, swept_to, looked_back_at)
    values (${connectionId}, ${sweptTo}, ${lookedBackAt})
    on conflict (connection_id) do update set
      swept_to = greatest(s.swept_to, excluded.swept_to),
      looked_back_at = greatest(s.looked_back_at, excluded.looked_back_at)`.execute(tx);
}
