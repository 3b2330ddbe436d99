/** A payout as an order to a bank. Before it starts, the bank names the holder of the account. */
import { plainStep } from "../../ledger/command.ts";
import type { GroupCommit } from "../../ledger/group-commit.ts";
import { eachOnce } from "../../platform/records/first-of-each.ts";
import type { NoRecord, Unknown } from "../../rails/answer.ts";
import type { BankRail, PaymentOrder, QueryAnswer } from "../../rails/bank.ts";
import { findBank } from "../../rails/bank-directory.ts";
import type { BankRails } from "../../rails/desk.ts";
import type { OrderKey, WaitingOrders } from "../../rails/order.ts";
import { askAgain, type PursueDependencies, type Pursuit, pursue } from "../../rails/pursue-order.ts";
import { orderOfQueue } from "../../rails/queued-order.ts";
import { waitForRail } from "../../rails/wait-for-rail.ts";
import { sendTask } from "../payouts/accept-transfer.ts";
import { refusalBeforeSending, sessionIdOf, type Transfer } from "../payouts/transfer.ts";
import { startSending, transferQueue } from "../payouts/transfer-store.ts";
import { type DisbursementSettled, type SettleCommand, settleTransfer } from "./settle-transfer.ts";

export interface SendDependencies extends PursueDependencies {
  readonly groupCommit: GroupCommit;
  readonly rails: BankRails;
  /** Takes the outcomes of disbursements. */
  readonly disbursementSettled?: DisbursementSettled;
}

type DefiniteAnswer = Exclude<QueryAnswer, Unknown | NoRecord>;

export const requeryTask = "transfers.requery";

const asking = orderOfQueue(transferQueue, requeryTask);

const askAgainLater = plainStep<Transfer, number>("transfers.ask_again", (tx, transfers) =>
  askAgain(tx, asking, transfers),
);

export function pursueTransfers(deps: SendDependencies): Pursuit<Transfer> {
  return pursue<Transfer, DefiniteAnswer>(deps, {
    ...asking,
    rail: "the bank",
    start: (key, transfer) => start(deps, key, transfer),
    send: async (key, transfer) => (await railOf(deps, key, transfer)).send(orderOf(key, transfer)),
    query: async (key, transfer) => (await railOf(deps, key, transfer)).query(orderOf(key, transfer)),
    resend: async (key, transfer) => {
      const { deduplicatesBySession, settleWindowMs } = await railOf(deps, key, transfer);
      return { recognised: deduplicatesBySession, afterMs: settleWindowMs };
    },
    askTogether: (environmentId, transfer) => deps.groupCommit.submit(environmentId, askAgainLater, transfer),
    end: async (key, _, answer) => {
      const failure = answer.outcome === "success" ? null : { code: answer.code, message: answer.message };
      await settle(deps, key, "processing", failure);
      return true;
    },
  });
}

function railOf({ rails }: SendDependencies, key: OrderKey, { connectionId }: Transfer): Promise<BankRail> {
  return rails.bank.bound(key, connectionId);
}

/** Takes a waiting transfer to the bank, unless no rail is open or its holder's name stands in the way. */
async function start(deps: SendDependencies, key: OrderKey, transfer: Transfer): Promise<Transfer | null> {
  const { groupCommit } = deps;
  const asked = await deps.rails.bank.find(key);
  if (typeof asked === "string") return groupCommit.submit(key.environmentId, waitForBank, transfer);
  const accountName = transfer.accountName ?? (await findName(deps, key, transfer, asked.rail));
  if (accountName === null) return null;
  const refusal = refusalBeforeSending(transfer, accountName);
  if (refusal !== null) {
    await settle(deps, key, "pending", refusal);
    return null;
  }
  // To ask for the name takes a while. The rail that named the holder may be closed by now.
  const open = transfer.accountName === null ? await deps.rails.bank.find(key) : asked;
  if (typeof open === "string") return groupCommit.submit(key.environmentId, waitForBank, transfer);
  const { connectionId, rail } = open;
  const command = { transfer, accountName, connectionId, senderCode: rail.senderCode };
  return groupCommit.submit(key.environmentId, startTransfer, command);
}

/** The holder's name, or null when the transfer was ended or put off for lack of one. */
async function findName(
  deps: SendDependencies,
  key: OrderKey,
  transfer: Transfer,
  rail: Pick<BankRail, "resolveAccount">,
): Promise<string | null> {
  const answer = await rail.resolveAccount(questionOf(key, transfer));
  if (answer.found === "unavailable") {
    if (await deps.groupCommit.submit(key.environmentId, putOffTransfer, transfer)) return null;
    await settle(deps, key, "pending", {
      code: "bank_unavailable",
      message: "The bank could not name the holder of the account. Nothing was sent.",
    });
    return null;
  }
  if (answer.found === "no") {
    await settle(deps, key, "pending", {
      code: "account_not_found",
      message: "The bank has no account with this number.",
    });
    return null;
  }
  return answer.accountName;
}

async function settle(
  { groupCommit, disbursementSettled }: SendDependencies,
  { environmentId, id }: OrderKey,
  from: "pending" | "processing",
  failure: SettleCommand["failure"],
): Promise<void> {
  const to = failure === null ? "completed" : "failed";
  const command = { id, from, to, failure, disbursementSettled } as const;
  await groupCommit.submit(environmentId, settleTransfer, command);
}

function questionOf({ environmentId, kind }: OrderKey, { bankCode, accountNumber }: Transfer) {
  return { environmentId, nipCode: findBank(bankCode, kind)?.nipCode ?? bankCode, accountNumber };
}

/** What the bank is told about a transfer that has a session. */
export function orderOf(key: OrderKey, transfer: Transfer): PaymentOrder {
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

/**
 * The steps of a transfer between acceptance and its end, each taken for many transfers of an environment at a time: a
 * bulk of thousands costs few transactions, and environments take turns at them.
 */

/** How long a waiting payout whose bank cannot name the holder is tried, and how often. Nothing was sent by then. */
const retryNameMs = 30_000;
const giveUpNameAfterMs = 15 * 60_000;

interface StartCommand {
  readonly transfer: Transfer;
  readonly accountName: string;
  readonly senderCode: string;
  /** Which connection takes it to the bank; null for the simulated one. */
  readonly connectionId: string | null;
}

/** The bank has named the holder: the session id is committed. Null when the transfer no longer waits. */
const startTransfer = plainStep<StartCommand, Transfer | null>("transfers.start", async (tx, commands) => {
  const starts = commands.map(({ transfer, senderCode, ...start }) => {
    return { id: transfer.id, sessionId: sessionIdOf(transfer, senderCode), ...start };
  });
  return eachOnce(starts, await startSending(tx, starts));
});

const waitingTransfers: WaitingOrders = { table: "transfers", task: sendTask };

/** The bank could not be asked: a waiting transfer is left for later. False when it has waited long enough. */
const putOffTransfer = plainStep<Transfer, boolean>("transfers.put_off", async (tx, transfers) => {
  const now = tx.environment.clock.now().getTime();
  const isPatient = (transfer: Transfer): boolean => now - transfer.createdAt.getTime() < giveUpNameAfterMs;
  await waitForRail(tx, waitingTransfers, transfers.filter(isPatient), () => retryNameMs);
  return transfers.map(isPatient);
});

/** No rail takes it now: a waiting transfer is left for later, however long that is. */
const waitForBank = plainStep<Transfer, null>("transfers.wait_for_bank", async (tx, transfers) => {
  await waitForRail(tx, waitingTransfers, transfers);
  return transfers.map(() => null);
});
