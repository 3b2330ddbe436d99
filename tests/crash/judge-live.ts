/** The same judgement where a bank of its own pays: its books come from its process, to the kobo. */
import pg from "pg";
import type { BankBooks, BankTransfer } from "./bank.ts";
import type { Client } from "./client.ts";
import {
  compareEvents,
  compareWallet,
  compareWithClient,
  compareWithRail,
  countBy,
  type Facts,
  type Verdict,
} from "./judge.ts";

export interface LiveCase {
  readonly ownerUrl: string;
  readonly environmentId: string;
  readonly funded: bigint;
  readonly client: Client;
  readonly books: BankBooks;
}

interface Ours {
  readonly reference: string;
  readonly status: string;
  readonly session_id: string | null;
  readonly amount: bigint;
  readonly spent: bigint;
}

export async function judgeLive({ ownerUrl, environmentId, funded, client, books }: LiveCase): Promise<Verdict> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const ours = await readOurs(owner, environmentId);
    const facts = withBank(ours, books);
    const contradictions = [
      ...compareWithClient(facts, client),
      ...facts.flatMap(compareWithRail),
      ...findStrangers(ours, books),
      ...findSentTwice(books),
      ...books.transfers.flatMap(compareMoved),
      ...(await compareSums(owner, environmentId, books)),
      ...(await compareWallet(owner, environmentId, funded, facts)),
      ...(await compareEvents(owner, environmentId, facts)),
      ...(await findUnfollowed(owner)),
    ];
    return { contradictions, counts: Object.fromEntries(countBy(facts)) };
  } finally {
    await owner.end();
  }
}

async function readOurs(owner: pg.Client, environmentId: string): Promise<Ours[]> {
  const result = await owner.query<Ours>(
    `select reference, status, session_id, amount, amount + fee + vat + stamp_duty as spent from transfers
     where environment_id = $1`,
    [environmentId],
  );
  return result.rows;
}

function withBank(ours: readonly Ours[], { transfers }: BankBooks): Facts[] {
  const theirs = new Map(transfers.map((transfer) => [transfer.reference, transfer]));
  return ours.map(({ reference, status, session_id: session, amount, spent }) => {
    const found = session === null ? undefined : theirs.get(session);
    const rail = { rail_status: wordOf(found, status), rail_amount: found ? BigInt(found.amount) : null };
    return { kind: "transfer", reference, status, amount, spent, ...rail };
  });
}

/** A payment that was taken back before we had heard of its success has failed, for us. */
function wordOf(found: BankTransfer | undefined, ours: string): string | null {
  if (found === undefined) return null;
  if (found.status === "success") return "paid";
  if (found.status === "reversed" && ours !== "failed") return "reversed";
  return isOver(found) ? "refused" : found.status;
}

function isOver({ status }: BankTransfer): boolean {
  return ["failed", "reversed", "abandoned", "blocked", "rejected"].includes(status);
}

/** Payments at the bank that no record of ours knows. */
function findStrangers(ours: readonly Ours[], { transfers }: BankBooks): string[] {
  const known = new Set(ours.map(({ session_id: session }) => session));
  const strangers = transfers.filter(({ reference }) => !known.has(reference));
  return strangers.map(({ reference, order }) => `the bank has ${reference} for ${order}, which nobody here knows`);
}

/** An order has one reference at the bank for ever, also in what was refused or never taken. */
function findSentTwice({ sent }: BankBooks): string[] {
  return [...Map.groupBy(sent, ({ order }) => order)].flatMap(([order, all]) => {
    const references = new Set(all.map(({ reference }) => reference));
    return references.size === 1 ? [] : [`${order} was sent under ${[...references].join(" and ")}`];
  });
}

/** The bank's account was debited once for what is paid, and has everything back of what is not. */
function compareMoved(transfer: BankTransfer): string[] {
  const { order, amount, fee, moved, status } = transfer;
  const expected = isOver(transfer) ? 0 : -(amount + fee);
  return moved === expected ? [] : [`${order} is ${status} and moved ${moved} kobo at the bank, not ${expected}`];
}

/** What the bank's account lost beside fees is what our settlement account holds. */
async function compareSums(
  owner: pg.Client,
  environmentId: string,
  { transfers, spent }: BankBooks,
): Promise<string[]> {
  const result = await owner.query<{ balance: bigint }>(
    `select coalesce(sum(e.amount), 0)::bigint as balance from entries e
     join accounts a on a.environment_id = e.environment_id and a.id = e.account_id
     where a.environment_id = $1 and a.purpose = 'bank_settlement'`,
    [environmentId],
  );
  const fees = transfers.filter(({ status }) => status === "success").reduce((sum, { fee }) => sum + fee, 0);
  const [ours, theirs] = [result.rows[0]?.balance, BigInt(spent - fees)];
  return ours === theirs ? [] : [`our settlement account holds ${ours} kobo, the bank's account lost ${theirs}`];
}

/** Every webhook led to an answer. */
async function findUnfollowed(owner: pg.Client): Promise<string[]> {
  const result = await owner.query<{ order_id: string; event: string; outcome: string }>(
    `select order_id, event, outcome from rail_hints
     where done_at is null or outcome in ('given_up', 'disagrees', 'not_ours')`,
  );
  return result.rows.map(({ order_id: order, event, outcome }) => `the webhook ${event} about ${order} is ${outcome}`);
}
