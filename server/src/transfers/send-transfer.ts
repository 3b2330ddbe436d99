/**
 * What a worker does with one transfer. It may be killed at any line:
 *
 *   pending ──name known?──▶ processing + session id (committed) ──▶ send ──▶ definite answer: settle
 *                                                                       └──▶ no answer: ask again by the agenda
 *
 * Only the worker that committed the step to `processing` sends at once. Whoever finds a transfer `processing` asks
 * about its session first. If the rail has no record of it, and it recognises sessions, and the settle window has
 * passed, the order is sent again under the same session; otherwise it waits, in the end for an operator.
 */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type Database, type EnvironmentKind, inEnvironment } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { BankRail, PaymentAnswer, PaymentOrder } from "../rails/bank.ts";
import { findBank } from "../rails/bank-directory.ts";
import { describeNipCode } from "../rails/nip-codes.ts";
import { bankRailFor, type Rails } from "../rails/registry.ts";
import { namesMatch } from "./name-match.ts";
import { askAgainLater, putOffTransfer, startTransfer } from "./sending-steps.ts";
import { findForSending } from "./settle-store.ts";
import { settleTransfer } from "./settle-transfer.ts";
import type { DisbursementSettled, SettleCommand } from "./settlement.ts";
import type { Transfer } from "./transfer.ts";

export interface SendDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
  readonly rails: Rails;
  readonly log: Logger;
  /** Takes the outcomes of disbursements. */
  readonly disbursementSettled?: DisbursementSettled;
}

export interface TransferKey {
  readonly environmentId: string;
  readonly environment: EnvironmentKind;
  readonly id: string;
}

/** Takes a waiting transfer as far as it gets, or asks about one that was sent. */
export async function takeUp(deps: SendDependencies, key: TransferKey): Promise<void> {
  const found = await read(deps, key);
  if (found?.transfer.status === "pending") await begin(deps, key, found.transfer);
  else if (found?.transfer.status === "processing") await ask(deps, key, found);
}

/** Takes a waiting transfer to the bank, unless its holder's name stands in the way. */
export async function begin(deps: SendDependencies, key: TransferKey, transfer: Transfer): Promise<void> {
  const rail = bankRailFor(deps.rails, key.environment);
  const accountName = transfer.accountName ?? (await findName(deps, key, transfer, rail));
  if (accountName === null) return;
  const start = { id: transfer.id, accountName, senderCode: rail.senderCode };
  const started = await deps.groupCommit.submit(key.environmentId, startTransfer, start);
  if (started !== null) await order(deps, key, started);
}

/** The holder's name, or null when the transfer was ended or put off for lack of one. */
async function findName(
  deps: SendDependencies,
  key: TransferKey,
  transfer: Transfer,
  rail: BankRail,
): Promise<string | null> {
  const answer = await rail.resolveAccount(questionOf(key, transfer));
  if (answer.found === "unavailable") {
    if (await deps.groupCommit.submit(key.environmentId, putOffTransfer, transfer)) return null;
    await fail(deps, key, "pending", {
      code: "bank_unavailable",
      message: "The bank could not name the holder of the account. Nothing was sent.",
    });
    return null;
  }
  if (answer.found === "no") {
    await fail(deps, key, "pending", {
      code: "account_not_found",
      message: "The bank has no account with this number.",
    });
    return null;
  }
  if (transfer.expectedName !== null && !namesMatch(transfer.expectedName, answer.accountName)) {
    const message = `The bank names ${answer.accountName}, not ${transfer.expectedName}.`;
    await fail(deps, key, "pending", { code: "account_name_mismatch", message });
    return null;
  }
  return answer.accountName;
}

/** Sends a transfer whose step to `processing` was just committed by the caller. */
export async function order(deps: SendDependencies, key: TransferKey, transfer: Transfer): Promise<void> {
  const answer = await bankRailFor(deps.rails, key.environment).send(orderOf(key, transfer));
  await conclude(deps, key, answer);
}

async function ask(
  deps: SendDependencies,
  key: TransferKey,
  found: { readonly transfer: Transfer; readonly sentForMs: number },
): Promise<void> {
  const rail = bankRailFor(deps.rails, key.environment);
  const answer = await rail.query({ environmentId: key.environmentId, sessionId: sessionOf(found.transfer) });
  if (answer.outcome !== "no_record") return conclude(deps, key, answer);
  if (rail.deduplicatesBySession && found.sentForMs >= rail.settleWindowMs) return order(deps, key, found.transfer);
  await conclude(deps, key, { outcome: "unknown", nipCode: "25" });
}

async function conclude(deps: SendDependencies, key: TransferKey, answer: PaymentAnswer): Promise<void> {
  if (answer.outcome === "success") return settle(deps, key, { from: "processing", to: "completed", failure: null });
  if (answer.outcome === "failure") {
    const failure = { code: `nip_${answer.nipCode}`, message: describeNipCode(answer.nipCode) };
    return fail(deps, key, "processing", failure);
  }
  await askLater(deps, key, answer.nipCode);
}

const remarkableQueries = 6;

/** Unknown is not failed: the question goes on the agenda, at growing distances, for as long as it takes. */
async function askLater(deps: SendDependencies, key: TransferKey, nipCode: string | null): Promise<void> {
  const queries = await deps.groupCommit.submit(key.environmentId, askAgainLater, key.id);
  // Told once, when it has become remarkable; the gauge and the operator's list know of it for as long as it lasts.
  const level = queries === remarkableQueries ? "warn" : "debug";
  deps.log[level]({ transferId: key.id, nipCode, queries }, "the bank owes an answer about a transfer");
}

function fail(
  deps: SendDependencies,
  key: TransferKey,
  from: "pending" | "processing",
  failure: SettleCommand["failure"],
) {
  return settle(deps, key, { from, to: "failed", failure });
}

async function settle(
  deps: SendDependencies,
  key: TransferKey,
  step: Pick<SettleCommand, "from" | "to" | "failure">,
): Promise<void> {
  await deps.groupCommit.submit(key.environmentId, settleTransfer, {
    id: key.id,
    environment: key.environment,
    ...step,
    disbursementSettled: deps.disbursementSettled,
  });
}

function read(deps: SendDependencies, key: TransferKey) {
  return inEnvironment(deps.db, key.environmentId, (tx) => findForSending(tx, key.id), { readOnly: true });
}

function questionOf(key: TransferKey, transfer: Transfer) {
  const nipCode = findBank(transfer.bankCode, key.environment)?.nipCode ?? transfer.bankCode;
  return { environmentId: key.environmentId, nipCode, accountNumber: transfer.accountNumber };
}

/** What the bank is told about a transfer that has a session. */
export function orderOf(key: TransferKey, transfer: Transfer): PaymentOrder {
  return {
    ...questionOf(key, transfer),
    sessionId: sessionOf(transfer),
    accountName: transfer.accountName ?? "",
    amount: transfer.amount,
    narration: transfer.narration ?? "",
    reference: transfer.reference,
  };
}

function sessionOf(transfer: Transfer): string {
  if (transfer.sessionId === null) throw new Error(`transfer ${transfer.id} is processing without a session`);
  return transfer.sessionId;
}
