/**
 * Moving money between own accounts, as a money command: claim the reference, check both wallets, post, write. There is
 * nobody to ask, so the answer is final.
 */
import type { CommandKind, Plan } from "../ledger/command.ts";
import type { Acceptance } from "../ledger/submit-once.ts";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { claimReferences, type ReferenceClaim, withdrawReferences } from "../platform/records/reference-claims.ts";
import { walletProblem } from "./errors.ts";
import { type Movement, postingOf } from "./movement.ts";
import { insertMovements } from "./movement-store.ts";
import { filterWallets } from "./wallet-store.ts";

export interface OwnTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: Kobo;
  readonly reference: string;
}

export const ownTransferReferences = "own_transfers";

export const moveBetweenWallets: CommandKind<OwnTransfer, Acceptance<Movement>, Movement> = {
  name: "wallets.transfer",
  async plan(tx, transfers) {
    const movements = transfers.map((transfer) => movementOf(tx, transfer));
    const holders = await claimReferences(tx, ownTransferReferences, movements.map(claimOf));
    const missing = await findMissing(tx, transfers);
    const lost = movements.filter((_, place) => (missing[place] ?? []).length > 0);
    await withdrawReferences(tx, ownTransferReferences, lost.map(claimOf));
    return movements.map((movement, place): Plan<Acceptance<Movement>, Movement> => {
      const takenBy = holders[place] ?? null;
      if (takenBy !== null) return { next: "answer", output: { takenBy } };
      const fields = missing[place] ?? [];
      if (fields.length > 0) return { next: "refuse", problem: noSuchWallet(fields) };
      return { next: "post", posting: postingOf(tx.environment.id, movement), record: movement };
    });
  },
  withdraw: (tx, movements) => withdrawReferences(tx, ownTransferReferences, movements.map(claimOf)),
  async write(tx, movements) {
    await insertMovements(tx, movements);
    return movements.map((accepted) => ({ accepted }));
  },
};

function movementOf(tx: Tx, transfer: OwnTransfer): Movement {
  const { clock } = tx.environment;
  const made = { id: clock.newId(), createdAt: clock.now(), senderName: null, reason: null };
  return { ...made, kind: "own_transfer", ...transfer };
}

function claimOf(movement: Movement): ReferenceClaim {
  return { recordId: movement.id, references: movement.reference === null ? [] : [movement.reference] };
}

/** For each transfer the fields that name no wallet of this environment. */
async function findMissing(tx: Tx, transfers: readonly OwnTransfer[]): Promise<string[][]> {
  const named = transfers.flatMap(({ from, to }) => [from, to]).filter(isUuid);
  const known = await filterWallets(tx, [...new Set(named)]);
  return transfers.map((transfer) => (["from", "to"] as const).filter((side) => !known.has(transfer[side])));
}

function noSuchWallet(fields: readonly string[]) {
  return walletProblem("wallet_not_found", {
    errors: fields.map((field) => ({ field, message: "is not one of your wallets" })),
  });
}
