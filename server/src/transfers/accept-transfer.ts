/**
 * Accepting a transfer, as a money command: claim its references, move amount and fees from the wallet to what the
 * wallet holds, write the row. The worker sees the row as soon as it is committed.
 */
import { heldAccountId } from "../ledger/account.ts";
import type { CommandKind, Plan } from "../ledger/command.ts";
import type { Posting } from "../ledger/post.ts";
import type { Acceptance } from "../ledger/submit-once.ts";
import { negate } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { takePositions } from "../platform/records/pagination.ts";
import { claimReferences, type ReferenceClaim, withdrawReferences } from "../platform/records/reference-claims.ts";
import { schedule } from "../platform/work/agenda.ts";
import { transferProblem } from "./errors.ts";
import { chargeFor, type TransferCharge, totalDebit } from "./tariff.ts";
import { type Tariffs, tariffAt } from "./tariff-book.ts";
import { payoutList, type Transfer, transferResource } from "./transfer.ts";
import { insertTransfers } from "./transfer-store.ts";

/** What is asked for: everything about a transfer but what acceptance adds to it. */
export interface TransferDraft {
  readonly reference: string;
  readonly externalReference: string | null;
  readonly batchId: string | null;
  readonly sourceAccountId: string;
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly expectedName: string | null;
  readonly bankCode: string;
  readonly amount: Kobo;
  readonly narration: string | null;
  readonly metadata: Transfer["metadata"];
}

export interface AcceptCommand {
  readonly draft: TransferDraft;
  readonly tariffs: Tariffs;
  /** When the name enquiry that came with the request runs out, in the environment's time. */
  readonly enquiryExpiresAt: Date | null;
}

export const sendTask = "transfers.send";

export const acceptTransfer: CommandKind<AcceptCommand, Acceptance<Transfer>, Transfer> = {
  name: "transfers.accept",
  async plan(tx, commands) {
    const { clock } = tx.environment;
    const now = clock.now();
    const transfers = commands.map((command) =>
      pendingTransfer(clock.newId(), command.draft, chargeAt(command, now), now),
    );
    const holders = await claimReferences(tx, payoutList, transfers.map(claimOf));
    const expired = commands.map(({ enquiryExpiresAt: until }) => until !== null && until <= now);
    await withdrawReferences(tx, payoutList, transfers.filter((_, index) => expired[index]).map(claimOf));
    return transfers.map((transfer, index): Plan<Acceptance<Transfer>, Transfer> => {
      const takenBy = holders[index] ?? null;
      if (takenBy !== null) return { next: "answer", output: { takenBy } };
      if (expired[index]) return { next: "refuse", problem: transferProblem("name_enquiry_invalid") };
      return { next: "post", posting: holdPosting(transfer), record: transfer };
    });
  },
  withdraw: (tx, transfers) => withdrawReferences(tx, payoutList, transfers.map(claimOf)),
  async write(tx, transfers) {
    await writeAccepted(tx, transfers);
    const frozen = tx.environment.clock.mode === "frozen";
    return transfers.map((accepted) => ({ accepted, frozen }));
  },
};

function chargeAt({ draft, tariffs }: AcceptCommand, now: Date): TransferCharge {
  return chargeFor(tariffAt(tariffs, now), draft.amount);
}

export function pendingTransfer(id: string, draft: TransferDraft, charge: TransferCharge, now: Date): Transfer {
  return {
    id,
    purpose: "payout",
    ...draft,
    ...charge,
    status: "pending",
    version: 1,
    sessionId: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
}

/** Writes the rows of posted transfers, in the order of the list, and lets a worker see them. */
export async function writeAccepted(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const claimable = await letWorkersSee(tx, transfers);
  const firstPosition = await takePositions(tx, payoutList, transfers.length);
  await insertTransfers(tx, { transfers, firstPosition, claimable });
}

/** Answers whether the rows themselves are the worker's queue. */
export async function letWorkersSee(tx: Tx, transfers: readonly Transfer[]): Promise<boolean> {
  // A stopped clock plays its work by the agenda, in order; otherwise the row itself is the worker's queue.
  const frozen = tx.environment.clock.mode === "frozen";
  if (frozen) {
    await schedule(
      tx,
      transfers.map((transfer) => ({ kind: sendTask, subject: transfer.id })),
    );
  }
  return !frozen;
}

export function claimOf({ id, reference, externalReference }: Transfer): ReferenceClaim {
  const both = externalReference !== null && externalReference !== reference;
  return { recordId: id, references: both ? [reference, externalReference] : [reference] };
}

export function holdPosting(transfer: Transfer): Posting {
  const amount = totalDebit(transfer);
  return {
    id: transfer.id,
    kind: "transfer.held",
    resource: { type: transferResource, id: transfer.id, reference: transfer.reference },
    narration: transfer.narration,
    legs: [
      { accountId: transfer.sourceAccountId, amount: negate(amount) },
      { accountId: heldAccountId(transfer.sourceAccountId), amount },
    ],
  };
}
