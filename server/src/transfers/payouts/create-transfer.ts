/**
 * One payout, from request to acceptance: rules, the bank's word on the account holder, group commit. A repeated
 * reference is answered from the record it stands for, whatever the bank says today.
 */
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { type KeepReply, type Submitted, submitOnce, unlessMadeBefore } from "../../ledger/submit-once.ts";
import type { Database, EnvironmentKind } from "../../platform/database/database.ts";
import { readNaira } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { ClaimedOrder, HandOver, Starting } from "../../platform/work/rounds.ts";
import { type Bank, findBank } from "../../rails/bank-directory.ts";
import type { BankRails } from "../../rails/desk.ts";
import type { NubanCheck } from "../../rails/nuban.ts";
import { type KnownWallets, requireWallet } from "../../wallets/known-wallets.ts";
import { mainWalletId } from "../../wallets/wallet.ts";
import { openEnquiry, resolveHolder } from "../names/name-enquiry.ts";
import { namesMatch } from "../names/name-match.ts";
import type { Tariffs } from "../tariff/tariff.ts";
import { type AcceptCommand, acceptTransfer, nothingSaid, type TransferDraft } from "./accept-transfer.ts";
import { transferProblem } from "./errors.ts";
import { checkNuban, checkPayout, requireBank } from "./payout-rules.ts";
import type { CreateTransferBody } from "./schemas.ts";
import { payoutList, refusalBeforeSending, sessionIdOf, type Transfer } from "./transfer.ts";
import { findTransfer } from "./transfer-store.ts";

export interface TransferDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly sealer: Sealer;
  readonly rails: BankRails;
  readonly knownWallets: KnownWallets;
  readonly sendingDesk: HandOver<ClaimedOrder<Transfer>>;
  /** Whether a wrong check digit of an account number is a refusal. */
  readonly nubanCheck: NubanCheck;
  tariffs(): Promise<Tariffs>;
}

export interface Payer {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
}

/** A draft as its caller words it. */
export interface TransferRequest
  extends Omit<TransferDraft, "batchId" | "sourceAccountId" | "accountName" | "expectedName"> {
  /** Null for the main wallet. */
  readonly sourceAccountId: string | null;
  /** The expected recipient. */
  readonly accountName: string | null;
  readonly nameEnquiryReference: string | null;
}

/** What a body asks for, in the words of the use case. */
export function payoutRequestOf(body: CreateTransferBody): TransferRequest {
  const reference = body.reference ?? body.externalReference;
  if (reference === undefined) throw new Error("the schema let a payout without a reference pass");
  return {
    reference,
    externalReference: body.externalReference ?? null,
    sourceAccountId: body.sourceAccountId ?? null,
    accountNumber: body.accountNumber,
    bankCode: body.bankCode,
    amount: readNaira(body.amount),
    narration: body.narration ?? null,
    metadata: body.metadata ?? null,
    accountName: body.accountName ?? null,
    nameEnquiryReference: body.nameEnquiryReference ?? null,
  };
}

export async function createTransfer(
  deps: TransferDependencies,
  payer: Payer,
  request: TransferRequest,
  keep: KeepReply<Transfer> | null,
): Promise<Submitted<Transfer>> {
  const draft = draftOf(payer, request);
  const { environmentId } = payer;
  const asked = {
    environmentId,
    find: findTransfer,
    differing: (earlier: Transfer) => differingFields(earlier, draft),
  };
  return unlessMadeBefore(deps.db, { ...asked, list: payoutList, reference: draft.reference }, async () => {
    const input = await prepareTransfer(deps, payer, request);
    return submitOnce(deps, acceptTransfer, { ...asked, input, keep });
  });
}

/** All that is asked before a transaction: the rules, and the bank. */
export async function prepareTransfer(
  deps: TransferDependencies,
  payer: Payer,
  request: TransferRequest,
): Promise<AcceptCommand> {
  checkPayout(request, payer.kind);
  const bank = requireBank(request.bankCode, payer.kind);
  const draft = draftOf(payer, request);
  checkNuban(deps.nubanCheck, bank, draft.accountNumber);
  await requireWallet(deps.knownWallets, payer.environmentId, draft.sourceAccountId);
  const holder = await findHolder(deps, payer, request, bank);
  const rail = await deps.rails.bank.plain(payer);
  return {
    draft: { ...draft, accountName: holder.accountName },
    tariffs: await deps.tariffs(),
    enquiryExpiresAt: holder.expiresAt,
    starting: rail === null ? null : startingTransfers(deps.sendingDesk, rail.senderCode),
  };
}

/** An unknown bank stays as it was named: a repeat is compared with its record before any rule is asked. */
function draftOf({ environmentId, kind }: Payer, request: TransferRequest): TransferDraft {
  const { accountName: expectedName, nameEnquiryReference: _, ...asked } = request;
  const sourceAccountId = request.sourceAccountId ?? mainWalletId(environmentId);
  const bankCode = findBank(request.bankCode, kind)?.code ?? request.bankCode;
  return { ...nothingSaid, ...asked, sourceAccountId, expectedName, bankCode };
}

async function findHolder(
  deps: TransferDependencies,
  payer: Payer,
  request: TransferRequest,
  bank: Bank,
): Promise<{ accountName: string; expiresAt: Date | null }> {
  const question = { environmentId: payer.environmentId, bank, accountNumber: request.accountNumber };
  const holder =
    request.nameEnquiryReference === null
      ? { ...(await resolveHolder(deps.rails, payer, question)), expiresAt: null }
      : openEnquiry(deps.sealer, question, request.nameEnquiryReference);
  if (request.accountName !== null && !namesMatch(request.accountName, holder.accountName)) {
    throw transferProblem("account_name_mismatch", {
      data: { expectedName: request.accountName, accountName: holder.accountName },
    });
  }
  return holder;
}

/** What a draft says, as the wire calls it. The bank names the holder, and a batch is no part of what is asked. */
const wireNames = {
  reference: "reference",
  externalReference: "externalReference",
  sourceAccountId: "sourceAccountId",
  accountNumber: "accountNumber",
  bankCode: "bankCode",
  amount: "amount",
  narration: "narration",
  expectedName: "accountName",
  metadata: "metadata",
} as const satisfies Readonly<Record<Exclude<keyof TransferDraft, "batchId" | "accountName">, string>>;

/** What a second request under the same reference asks differently; the names are those of the wire. */
export function differingFields(earlier: Transfer, draft: TransferDraft): string[] {
  const differing = keysOf(wireNames).filter((name) => canonical(earlier[name]) !== canonical(draft[name]));
  return differing.map((name) => wireNames[name]);
}

/** Metadata is flat, so sorting its entries is enough to compare it; an empty one says what none says. */
function canonical(said: TransferDraft[keyof typeof wireNames]): unknown {
  if (said === null || typeof said !== "object") return said;
  const entries = Object.entries(said);
  return entries.length === 0 ? null : JSON.stringify(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * A payout that goes from its acceptance straight to the sender of the same process. Its caller sees it as accepted.
 * The session is known from the beginning; a holder whose name is not has to be asked for.
 */
function startingTransfers(desk: HandOver<ClaimedOrder<Transfer>>, senderCode: string): Starting<Transfer> {
  return {
    desk,
    counterparty: ({ bankCode }) => bankCode,
    start: (transfer) =>
      transfer.accountName === null || refusalBeforeSending(transfer, transfer.accountName) !== null
        ? null
        : {
            ...transfer,
            status: "processing",
            version: transfer.version + 1,
            sessionId: sessionIdOf(transfer, senderCode),
          },
  };
}
