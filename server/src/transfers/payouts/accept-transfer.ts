/** Accepting a payout: amount and fees are held on the paying wallet. */
import { type AcceptDescription, acceptPayments, legsOfHold, writeHeld } from "../../ledger/held-payment.ts";
import type { Posting } from "../../ledger/post.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { ReferenceClaim } from "../../platform/records/reference-claims.ts";
import type { Starting } from "../../platform/work/rounds.ts";
import { pendingOrder } from "../../rails/order-records.ts";
import { nameProblem } from "../names/name-enquiry.ts";
import { chargeFor, type Tariffs, type TransferCharge, tariffAt, totalDebit } from "../tariff/tariff.ts";
import { payoutList, type Transfer, transferResource } from "./transfer.ts";
import { insertTransfers } from "./transfer-store.ts";

/** What is asked for: everything about a transfer but what acceptance adds to it. */
export type TransferDraft = Omit<Transfer, keyof TransferCharge | keyof Accepted>;

/** What acceptance, and what follows it, adds. */
type Accepted = Pick<
  Transfer,
  | "id"
  | "purpose"
  | "status"
  | "version"
  | "sessionId"
  | "failureReason"
  | "createdAt"
  | "updatedAt"
  | "completedAt"
  | "connectionId"
>;

/** All that a draft need not say. */
export const nothingSaid = {
  externalReference: null,
  batchId: null,
  accountName: null,
  expectedName: null,
  narration: null,
  metadata: null,
} as const satisfies Partial<TransferDraft>;

export interface AcceptCommand {
  readonly draft: TransferDraft;
  readonly tariffs: Tariffs;
  /** When the name enquiry that came with the request runs out, in the environment's time. */
  readonly enquiryExpiresAt: Date | null;
  /** Null where a provider has to be chosen before anything starts. */
  readonly starting: Starting<Transfer> | null;
}

export const sendTask = "transfers.send";

const accepting = {
  name: "transfers.accept",
  list: payoutList,
  sendTask,
  draft: (id, command, now) => pendingTransfer(id, command.draft, chargeAt(command, now), now),
  claim: claimOf,
  validity: {
    until: ({ enquiryExpiresAt }) => enquiryExpiresAt,
    expired: () => nameProblem("name_enquiry_invalid"),
  },
  hold: holdPosting,
  starting: ({ starting }) => starting,
  insert: insertTransfers,
} as const satisfies AcceptDescription<AcceptCommand, Transfer>;

export const acceptTransfer = acceptPayments<AcceptCommand, Transfer>(accepting);

/** Writes the rows of posted payouts, in the order of the list, and lets a worker see them. */
export function writeAccepted(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  return writeHeld(tx, accepting, transfers);
}

function chargeAt({ draft, tariffs }: AcceptCommand, now: Date): TransferCharge {
  return chargeFor(tariffAt(tariffs, now), draft.amount);
}

export function pendingTransfer(id: string, draft: TransferDraft, charge: TransferCharge, now: Date): Transfer {
  return {
    ...pendingOrder(id, now),
    purpose: "payout",
    ...draft,
    ...charge,
    sessionId: null,
  };
}

export function claimOf({ id, reference, externalReference }: Transfer): ReferenceClaim {
  const both = externalReference !== null && externalReference !== reference;
  return { recordId: id, references: both ? [reference, externalReference] : [reference] };
}

export function holdPosting(transfer: Transfer): Posting {
  return {
    id: transfer.id,
    kind: "transfer.held",
    resource: { type: transferResource, id: transfer.id, reference: transfer.reference },
    narration: transfer.narration,
    legs: legsOfHold({ walletId: transfer.sourceAccountId, total: totalDebit(transfer), spent: [] }, "held"),
  };
}
