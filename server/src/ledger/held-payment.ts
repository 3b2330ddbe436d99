/**
 * A payment that leaves a wallet in two steps: what it costs is held when it is accepted, and goes where it belongs, or
 * back, when the outcome is known. Both steps are money commands, made here from what a domain says about its payment.
 *
 *   accept   wallet ──▶ held            reference claimed, row written: the worker sees it as soon as it is committed
 *   spent    held ──▶ those it was for
 *   failed   held ──▶ wallet
 *   back     those it was for ──▶ wallet
 */
import type { RawBuilder } from "kysely";
import { negate } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Problem } from "../platform/problem.ts";
import { eachOnce } from "../platform/records/first-of-each.ts";
import type { NewEvent } from "../platform/records/outbox.ts";
import { positionsFrom } from "../platform/records/pagination.ts";
import { claimReferences, type ReferenceClaim, withdrawReferences } from "../platform/records/reference-claims.ts";
import { schedule } from "../platform/work/agenda.ts";
import { type Starting, startAtOnce } from "../platform/work/rounds.ts";
import { heldAccountId } from "./account.ts";
import type { CommandKind, Plan } from "./command.ts";
import type { Leg, Posting } from "./post.ts";
import type { Acceptance } from "./submit-once.ts";

/** Rows to be written. */
export interface HeldRows<Payment> {
  readonly records: readonly Payment[];
  /** Of the first of them in their list. */
  readonly firstPosition: RawBuilder<bigint>;
  /** Whether the rows themselves are the worker's queue. */
  readonly claimable: boolean;
}

export interface AcceptDescription<Command, Payment extends { readonly id: string }> {
  readonly name: string;
  /** Whose references are claimed, and in which list the payments stand. */
  readonly list: string;
  /** What takes a payment up where the agenda brings the work. */
  readonly sendTask: string;
  draft(id: string, command: Command, now: Date): Payment;
  claim(payment: Payment): ReferenceClaim;
  /** Until when what the command stands on is good, in the environment's time, and what is said of one that is late. */
  readonly validity: { until(command: Command): Date | null; expired(): Problem };
  hold(payment: Payment): Posting;
  /** How the payment goes straight to the worker of this process; null, and without it: through the queue. */
  starting?(command: Command): Starting<Payment> | null;
  insert(tx: Tx, rows: HeldRows<Payment>): Promise<void>;
}

interface Held<Command, Payment> {
  readonly command: Command;
  readonly payment: Payment;
}

/** The command that accepts payments: claims references, holds the money, writes the rows. */
export function acceptPayments<Command, Payment extends { readonly id: string }>(
  described: AcceptDescription<Command, Payment>,
): CommandKind<Command, Acceptance<Payment>, Held<Command, Payment>> {
  const { name, list, validity, claim } = described;
  const paymentOf = ({ payment }: Held<Command, Payment>): Payment => payment;
  return {
    name,
    async plan(tx, commands) {
      const { clock } = tx.environment;
      const now = clock.now();
      const payments = commands.map((command) => described.draft(clock.newId(), command, now));
      const holders = await claimReferences(tx, list, payments.map(claim));
      const isLate = commands.map((command) => isPast(validity.until(command), now));
      await withdrawReferences(tx, list, payments.filter((_, index) => isLate[index]).map(claim));
      return commands.map((command, index): Plan<Acceptance<Payment>, Held<Command, Payment>> => {
        const payment = payments[index];
        if (payment === undefined) throw new Error(`${name} drafted too few payments`);
        const takenBy = holders[index] ?? null;
        if (takenBy !== null) return { next: "answer", output: { takenBy } };
        if (isLate[index]) return { next: "refuse", problem: validity.expired() };
        return { next: "post", posting: described.hold(payment), record: { command, payment } };
      });
    },
    withdraw: (tx, held) => withdrawReferences(tx, list, held.map(paymentOf).map(claim)),
    async write(tx, held) {
      // Commands of a batch come from one process, in one environment.
      const starting = held[0] && described.starting?.(held[0].command);
      await writeHeld(tx, described, held.map(paymentOf), starting);
      return held.map(({ payment: accepted }) => ({ accepted }));
    },
  };
}

function isPast(until: Date | null, now: Date): boolean {
  return until !== null && until <= now;
}

/** Writes the rows of posted payments, in the order of their list, and lets a worker see them. */
export async function writeHeld<Payment extends { readonly id: string }>(
  tx: Tx,
  { list, sendTask, insert }: Pick<AcceptDescription<never, Payment>, "list" | "sendTask" | "insert">,
  payments: readonly Payment[],
  starting: Starting<Payment> | null = null,
): Promise<void> {
  const claimable = await letWorkersSee(tx, sendTask, payments);
  const records = claimable && starting !== null ? startAtOnce(tx, starting, payments) : payments;
  await insert(tx, { records, firstPosition: positionsFrom(list, payments.length), claimable });
}

/** Returns whether the rows themselves are the worker's queue. */
export async function letWorkersSee(
  tx: Tx,
  sendTask: string,
  records: readonly { readonly id: string }[],
): Promise<boolean> {
  // A stopped clock plays its work by the agenda, in order; otherwise the row itself is the worker's queue.
  if (tx.environment.clock.mode === "running") return true;
  await schedule(
    tx,
    records.map(({ id }) => ({ kind: sendTask, subject: id })),
  );
  return false;
}

export interface Settlement<Command, Payment> {
  readonly command: Command;
  readonly payment: Payment;
}

export interface SettleDescription<
  Command extends { readonly id: string; readonly from: string; readonly to: string },
  Payment,
> {
  readonly name: string;
  canMove(from: Command["from"], to: Command["to"]): boolean;
  /** Moves what is still in the expected state, by compare-and-set. The records as they are now, by id. */
  move(tx: Tx, commands: readonly Command[]): Promise<Map<string, Payment>>;
  /** The movement of the hold, then further statement lines. Neither may ever lack funds. */
  post(tx: Tx, payment: Payment, to: Command["to"]): readonly [Posting, ...Posting[]];
  /** Events and whatever else moves with the payment. */
  write(tx: Tx, settled: readonly Settlement<Command, Payment>[]): Promise<void>;
}

/**
 * The command that ends payments. The state moves by compare-and-set before anything is posted: of two workers with an
 * answer only one wins, and the loser posts nothing and gets null. Money, state and event commit together.
 */
export function settlePayments<
  Command extends { readonly id: string; readonly from: string; readonly to: string },
  Payment,
>(described: SettleDescription<Command, Payment>): CommandKind<Command, Payment | null, Settlement<Command, Payment>> {
  return {
    name: described.name,
    async plan(tx, commands) {
      for (const { id, from, to } of commands) {
        // A step that the transition table does not have is a bug of ours, no matter which caller asked for it.
        if (!described.canMove(from, to)) throw new Error(`${described.name}: ${id} cannot go from ${from} to ${to}`);
      }
      const moved = eachOnce(commands, await described.move(tx, commands));
      return commands.map((command, index): Plan<Payment | null, Settlement<Command, Payment>> => {
        const payment = moved[index] ?? null;
        if (payment === null) return { next: "answer", output: null };
        const [posting, ...also] = described.post(tx, payment, command.to);
        return { next: "post", posting, also, record: { command, payment } };
      });
    },
    async write(tx, settled) {
      await described.write(tx, settled);
      return settled.map(({ payment }) => payment);
    },
  };
}

/** The events of settled payments, each with the record as GET shows it: "transfer.completed". */
export function eventsOf<Command extends { readonly to: string }, Payment extends { id: string; version: number }>(
  resourceType: string,
  settled: readonly Settlement<Command, Payment>[],
  present: (payment: Payment) => NewEvent["data"],
): NewEvent[] {
  return settled.map(({ command, payment }) => ({
    event: `${resourceType}.${command.to}`,
    resourceType,
    resourceId: payment.id,
    resourceVersion: payment.version,
    data: present(payment),
  }));
}

/** What is held of a wallet for one payment, and what becomes of it. */
export interface Hold {
  readonly walletId: string;
  readonly total: Kobo;
  /** Those it is for: together the total. */
  readonly spent: readonly Leg[];
}

type HoldEnd = "held" | "spent" | "failed" | "back";

/** The legs of one movement of the drawing above. */
export function legsOfHold(hold: Hold, end: HoldEnd): Leg[] {
  return movement(hold, end).filter(({ amount }) => amount !== 0n);
}

function movement({ walletId, total, spent }: Hold, end: HoldEnd): Leg[] {
  const held = heldAccountId(walletId);
  const intoHold = { accountId: held, amount: total };
  const outOfHold = { accountId: held, amount: negate(total) };
  const intoWallet = { accountId: walletId, amount: total };
  switch (end) {
    case "held":
      return [{ accountId: walletId, amount: negate(total) }, intoHold];
    case "spent":
      return [outOfHold, ...spent];
    case "failed":
      return [outOfHold, intoWallet];
    case "back":
      return [...spent.map(({ accountId, amount }) => ({ accountId, amount: negate(amount) })), intoWallet];
  }
}
