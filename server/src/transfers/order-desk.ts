/**
 * Payouts that are not sent as they come, but kept until a second person agrees. Here they are judged as the endpoints
 * judge them, shown with what they will cost, and accepted in the transaction that decides about them.
 */
import type { Static } from "typebox";
import { runCommand } from "../ledger/run-command.ts";
import { subtract, sum } from "../money/arithmetic.ts";
import type { Kobo } from "../money/kobo.ts";
import { readEnvironment, type Tx } from "../platform/database/database.ts";
import { commonProblem, Problem } from "../platform/problem.ts";
import { findBank } from "../rails/bank-directory.ts";
import { openRail } from "../rails/desk.ts";
import { requireWallet } from "../wallets/known-wallets.ts";
import { readBalance } from "../wallets/read-wallets.ts";
import { type batchItemInput, judgeItems, readItem, refuseBatch } from "./batches/batch-items.ts";
import { createBatchBody } from "./batches/batch-schemas.ts";
import { batchRequestOf, type CreateBatchBody, createBatch } from "./batches/create-batch.ts";
import { resolveHolder } from "./names/name-enquiry.ts";
import { acceptTransfer } from "./payouts/accept-transfer.ts";
import { type Payer, payoutRequestOf, prepareTransfer, type TransferDependencies } from "./payouts/create-transfer.ts";
import { checkNuban, checkPayout, requireBank } from "./payouts/payout-rules.ts";
import { type CreateTransferBody, createTransferBody } from "./payouts/schemas.ts";
import { chargeFor, tariffAt, totalFee } from "./tariff/tariff.ts";

export const payoutOrder = createTransferBody;
export const batchOrder = createBatchBody;

export type Order =
  | { readonly kind: "payout"; readonly body: CreateTransferBody }
  | { readonly kind: "batch"; readonly body: CreateBatchBody };

export interface OrderedPayout {
  readonly reference: string;
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly bankName: string | null;
  readonly amount: Kobo;
  readonly narration: string | null;
  /** Whom the asker expects to pay. */
  readonly accountName: string | null;
}

export interface ReadOrder {
  readonly reference: string;
  readonly amount: Kobo;
  readonly payouts: readonly OrderedPayout[];
}

export interface OrderPreview {
  readonly fee: Kobo;
  readonly totalDebit: Kobo;
  readonly available: Kobo;
  readonly availableAfter: Kobo;
  /** Whose account it is, as the bank says now; null for a batch, whose names are asked for when it is sent. */
  readonly bankSays: string | null;
  /** Why the bank named nobody, or what today's rules say against the order. */
  readonly refusal: string | null;
}

export interface OrderDesk {
  /** Throws what the endpoint would refuse without asking anybody. */
  judge(payer: Payer, order: Order): Promise<ReadOrder>;
  /** An order that was judged when it was stored, whatever the rules say about it today. */
  read(payer: Payer, order: Order): ReadOrder;
  preview(payer: Payer, order: Order): Promise<OrderPreview>;
  /** Asks the bank, and returns what accepts the order in a transaction: once, or it throws. */
  prepare(payer: Payer, order: Order): Promise<(tx: Tx) => Promise<Accepted>>;
}

export interface Accepted {
  readonly transferId: string | null;
  readonly batchId: string | null;
}

export function createOrderDesk(deps: TransferDependencies): OrderDesk {
  return {
    async judge(payer, order) {
      await requireWallet(deps.knownWallets, payer.environmentId, order.body.sourceAccountId ?? null);
      judgeOrder(deps, payer, order);
      return readOrder(payer, order);
    },
    read: readOrder,
    preview: (payer, order) => previewOrder(deps, payer, order),
    prepare: (payer, order) =>
      order.kind === "payout" ? preparePayout(deps, payer, order.body) : prepareBatch(deps, payer, order.body),
  };
}

function judgeOrder({ nubanCheck }: TransferDependencies, { kind }: Payer, order: Order): void {
  if (order.kind === "batch") return void judgeBatch(order.body, kind, nubanCheck);
  const request = payoutRequestOf(order.body);
  checkPayout(request, kind);
  checkNuban(nubanCheck, requireBank(request.bankCode, kind), request.accountNumber);
}

function readOrder({ kind }: Payer, order: Order): ReadOrder {
  if (order.kind === "batch") {
    const { batchReference: reference, transfers, narration = null } = order.body;
    const items = transfers.map((item, index) =>
      readItem(item as Static<typeof batchItemInput>, index, { kind, narration }),
    );
    const payouts = items.map((item) => ({
      ...item,
      ...bankOf(item.bankCode, kind),
      accountName: item.expectedName,
    }));
    return { reference, amount: sum(items.map(({ amount }) => amount)), payouts };
  }
  const request = payoutRequestOf(order.body);
  const { reference, amount } = request;
  return { reference, amount, payouts: [{ ...request, ...bankOf(request.bankCode, kind) }] };
}

function bankOf(code: string, kind: Payer["kind"]): { bankName: string | null } {
  return { bankName: findBank(code, kind)?.name ?? null };
}

/** One bad item refuses the order, whatever it says of bad items: nobody is to agree to something else than is paid. */
function judgeBatch(
  { transfers, narration }: CreateBatchBody,
  kind: Payer["kind"],
  nubanCheck: TransferDependencies["nubanCheck"],
) {
  const items = judgeItems(transfers, { kind, nubanCheck, narration: narration ?? null });
  if (items.unpayable.length > 0) throw refuseBatch(items.unpayable);
  return items;
}

async function previewOrder(deps: TransferDependencies, payer: Payer, order: Order): Promise<OrderPreview> {
  const { payouts, amount } = readOrder(payer, order);
  const tariffs = await deps.tariffs();
  const named = await askBank(deps, payer, order);
  return readEnvironment(deps.db, payer.environmentId, async (tx) => {
    const tariff = tariffAt(tariffs, tx.environment.clock.now());
    const fee = sum(payouts.map((payout) => totalFee(chargeFor(tariff, payout.amount))));
    const totalDebit = sum([amount, fee]);
    const { available } = await readBalance(tx, order.body.sourceAccountId ?? undefined);
    return { fee, totalDebit, available, availableAfter: subtract(available, totalDebit), ...named };
  });
}

async function askBank(
  deps: TransferDependencies,
  payer: Payer,
  order: Order,
): Promise<Pick<OrderPreview, "bankSays" | "refusal">> {
  try {
    judgeOrder(deps, payer, order);
    if (order.kind === "batch") return { bankSays: null, refusal: null };
    const { bankCode, accountNumber } = order.body;
    const question = {
      environmentId: payer.environmentId,
      bank: requireBank(bankCode, payer.kind),
      accountNumber,
    };
    const { accountName } = await resolveHolder(deps.rails, payer, question);
    return { bankSays: accountName, refusal: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { bankSays: null, refusal: error.message };
  }
}

async function preparePayout(deps: TransferDependencies, payer: Payer, body: CreateTransferBody) {
  const command = await prepareTransfer(deps, payer, payoutRequestOf(body));
  return async (tx: Tx): Promise<Accepted> => {
    const outcome = await runCommand(tx, acceptTransfer, command);
    if ("takenBy" in outcome) throw takenReference();
    return { transferId: outcome.accepted.id, batchId: null };
  };
}

async function prepareBatch(deps: TransferDependencies, payer: Payer, body: CreateBatchBody) {
  await openRail(deps.rails.bank, payer);
  const source = await requireWallet(deps.knownWallets, payer.environmentId, body.sourceAccountId ?? null);
  const request = batchRequestOf({ ...body, onInvalid: "refuse" }, source);
  const items = judgeBatch(body, payer.kind, deps.nubanCheck);
  const tariffs = await deps.tariffs();
  return async (tx: Tx): Promise<Accepted> => {
    const { batch, replayed } = await createBatch(tx, request, items, tariffs, null);
    if (replayed) throw takenReference();
    return { transferId: null, batchId: batch.id };
  };
}

/** Somebody has used the reference meanwhile. What it stands for was paid by another way, and is not this order. */
function takenReference(): Problem {
  return commonProblem("reference_conflict", { data: { fields: ["reference"] } });
}
