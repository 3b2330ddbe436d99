/**
 * Many payouts in one request and one transaction: all that can be paid is accepted together, or nothing is. A
 * repeated batch reference is answered from the batch it stands for.
 */
import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { insufficientFunds } from "../../ledger/insufficient-funds.ts";
import { postBatch } from "../../ledger/post.ts";
import { sum } from "../../money/arithmetic.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { claimOf, holdPosting, nothingSaid, pendingTransfer, writeAccepted } from "../payouts/accept-transfer.ts";
import { type ByHand, type HandOrder, recordByHand, refuseRepeated } from "../payouts/hand-payment.ts";
import { batchReferences, payoutList, type Transfer } from "../payouts/transfer.ts";
import { chargeFor, type Tariffs, tariffAt, totalFee } from "../tariff/tariff.ts";
import { type BatchItem, itemsInOrder, type StoredRejection, type TransferBatch } from "./batch.ts";
import {
  type JudgedItems,
  type PayableItem,
  recipientOf,
  recipientOfPayable,
  refuseBatch,
  rejectedItem,
  type UnpayableItem,
} from "./batch-items.ts";
import type { createBatchBody, LeftOutRow } from "./batch-schemas.ts";
import { findBatch, insertBatch, type NewBatch, readBatchItems } from "./batch-store.ts";
import { announceBatch } from "./close-batches.ts";

export interface BatchRequest {
  readonly batchReference: string;
  readonly narration: string | null;
  readonly onInvalid: "continue" | "refuse";
  /** Null for the main wallet. */
  readonly sourceAccountId: string | null;
  /** As they came, for telling a repeated request from another one. */
  readonly transfers: readonly unknown[];
  readonly leftOut: readonly LeftOutRow[];
}

export type CreateBatchBody = Static<typeof createBatchBody>;

/** `sourceAccountId` is null for the main wallet, once it is known whose wallet was named. */
export function batchRequestOf(body: CreateBatchBody, sourceAccountId: string | null): BatchRequest {
  const { batchReference, transfers, narration = null, onInvalid = "refuse", leftOut = [] } = body;
  return { batchReference, narration, onInvalid, sourceAccountId, transfers, leftOut };
}

export interface CreatedBatch {
  readonly batch: TransferBatch;
  readonly items: readonly BatchItem[];
  readonly replayed: boolean;
}

export async function createBatch(
  tx: Tx,
  request: BatchRequest,
  items: JudgedItems,
  tariffs: Tariffs,
  by: ByHand | null,
): Promise<CreatedBatch> {
  const id = tx.environment.clock.newId();
  const order = orderOf(request, items);
  if (by !== null) await refuseRepeated(tx, by, order);
  const claim = { recordId: id, references: [request.batchReference] };
  const [takenBy] = await claimReferences(tx, batchReferences, [claim]);
  if (typeof takenBy === "string") return replay(tx, takenBy, request);
  if (request.onInvalid === "refuse" && items.unpayable.length > 0) throw refuseBatch(items.unpayable);
  const { accepted, taken } = await claimItems(tx, pendingItems(tx, id, request, items.payable, tariffs));
  if (request.onInvalid === "refuse" && taken.length > 0) throw refuseBatch(taken);
  await hold(tx, accepted);
  const refused = [...items.unpayable, ...taken].map((item) => ({ ...rejectedItem(item), ...item.recipient }));
  const rejected = [...refused, ...request.leftOut.map((row, place) => leftOutItem(row, items, place))];
  const batch = newBatch(tx, { id, request, accepted, rejected });
  await insertBatch(tx, batch);
  if (by !== null) await recordByHand(tx, by, { id, order, state: "made" });
  if (accepted.length > 0) await writeAccepted(tx, accepted);
  else await announceBatch(tx, id);
  // Known without reading it back, while the wallet is locked and others wait.
  return { batch, items: itemsInOrder(rejected, accepted.map(acceptedItem)), replayed: false };
}

/** It follows the items, because the request does not say where its row stood. */
function leftOutItem(row: LeftOutRow, { payable, unpayable }: JudgedItems, place: number): StoredRejection {
  const index = payable.length + unpayable.length + place;
  return { index, reference: row.reference, code: "left_out", message: row.reason, ...recipientOf(row) };
}

function orderOf({ batchReference: reference }: BatchRequest, { payable: payouts }: JudgedItems): HandOrder {
  return { kind: "batch", reference, payouts };
}

function newBatch(
  tx: Tx,
  made: { id: string; request: BatchRequest; accepted: readonly Transfer[]; rejected: readonly StoredRejection[] },
): NewBatch {
  const { id, request, accepted, rejected } = made;
  const now = tx.environment.clock.now();
  return {
    id,
    batchReference: request.batchReference,
    requestHash: hashOf(request),
    totalCount: accepted.length + rejected.length,
    acceptedCount: accepted.length,
    rejectedCount: rejected.length,
    totalAmount: sum(accepted.map((transfer) => transfer.amount)),
    totalFee: sum(accepted.map(totalFee)),
    rejected,
    openCount: accepted.length,
    version: 1,
    createdAt: now,
    completedAt: accepted.length === 0 ? now : null,
    countsByStatus: { pending: accepted.length, processing: 0, completed: 0, failed: 0, reversed: 0 },
  };
}

function acceptedItem(transfer: Transfer): BatchItem {
  const { reference, id, status, accountNumber, bankCode, expectedName: accountName } = transfer;
  const recipient = { accountNumber, accountName, bankCode, amount: nairaNumber(transfer.amount) };
  return { reference, id, status, code: null, message: null, ...recipient };
}

interface PendingItem {
  readonly item: PayableItem;
  readonly transfer: Transfer;
}

function pendingItems(
  tx: Tx,
  batchId: string,
  request: BatchRequest,
  items: readonly PayableItem[],
  tariffs: Tariffs,
): PendingItem[] {
  const { clock } = tx.environment;
  const now = clock.now();
  const tariff = tariffAt(tariffs, now);
  const sourceAccountId = request.sourceAccountId ?? mainWalletId(tx.environment.id);
  const shared = { ...nothingSaid, batchId, sourceAccountId };
  return items.map((item) => {
    const { index: _, ...asked } = item;
    const draft = { ...shared, ...asked };
    return { item, transfer: pendingTransfer(clock.newId(), draft, chargeFor(tariff, item.amount), now) };
  });
}

/** Claims the references; an item whose reference stands for an earlier transfer cannot be paid again. */
async function claimItems(
  tx: Tx,
  pending: readonly PendingItem[],
): Promise<{ accepted: Transfer[]; taken: UnpayableItem[] }> {
  if (pending.length === 0) return { accepted: [], taken: [] };
  const claims = pending.map(({ transfer }) => claimOf(transfer));
  const holders = await claimReferences(tx, payoutList, claims);
  const free = pending.filter((_, place) => holders[place] === null);
  const others = pending.filter((_, place) => holders[place] !== null);
  return { accepted: free.map(({ transfer }) => transfer), taken: others.map(({ item }) => takenItem(item)) };
}

function takenItem(item: PayableItem): UnpayableItem {
  const { index, reference } = item;
  const message = "This reference was used before. Look it up with GET /transfers/verify; it was not paid again.";
  return {
    index,
    reference,
    problem: commonProblem("reference_conflict", { message }),
    recipient: recipientOfPayable(item),
  };
}

async function hold(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const wanted = transfers.map(holdPosting);
  const refused = await postBatch(tx, wanted);
  if (refused.size === 0) return;
  // All or nothing: a merchant that sends a payroll does not want the part of it that the wallet happens to cover.
  const [problem] = await insufficientFunds(tx, [{ wanted, posted: wanted.filter((_, place) => !refused.has(place)) }]);
  throw problem ?? new Error("a refused batch has no refusal");
}

async function replay(tx: Tx, id: string, request: BatchRequest): Promise<CreatedBatch> {
  const earlier = await read(tx, id);
  const fields = differingParts(earlier.batch.requestHash, hashOf(request));
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return { ...earlier, replayed: true };
}

async function read(tx: Tx, id: string) {
  const batch = await findBatch(tx, id);
  if (batch === undefined) throw new Error(`batch ${id} has a reference and no row`);
  return { batch, items: await readBatchItems(tx, batch) };
}

const hashedParts = ["narration", "onInvalid", "transfers", "sourceAccountId"] as const;
const partLength = 16;

/** The parts are hashed apart, so that a conflict can name those that differ. Unknown fields of items do not count. */
function hashOf(request: BatchRequest): Buffer {
  const content = { ...request, transfers: request.transfers.map(knownFields) };
  // The main wallet leaves no part, as in batches from before another could be named.
  const parts = hashedParts.flatMap((part) => {
    if (part === "sourceAccountId" && request.sourceAccountId === null) return [];
    const hash = createHash("sha256").update(JSON.stringify(content[part]));
    return [hash.digest().subarray(0, partLength)];
  });
  return Buffer.concat(parts);
}

function knownFields(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  const fields: Readonly<Record<string, unknown>> = { ...item };
  const known = ["accountNumber", "bankCode", "amount", "narration", "reference", "accountName"];
  return known.map((name) => fields[name] ?? null);
}

function differingParts(left: Buffer, right: Buffer): string[] {
  return hashedParts.filter((_, place) => {
    const [start, end] = [place * partLength, (place + 1) * partLength];
    return !left.subarray(start, end).equals(right.subarray(start, end));
  });
}
