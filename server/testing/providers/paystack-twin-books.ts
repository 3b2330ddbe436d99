/** The books of transfers at Paystack's twin, and how a record of them looks on the wire. */
import type { PaystackAccount } from "./paystack-twin-account.ts";
import { createPlantedList, type PlantedList } from "./planted-list.ts";

export type TransferWord =
  | "pending"
  | "received"
  | "otp"
  | "success"
  | "failed"
  | "reversed"
  | "abandoned"
  | "blocked"
  | "rejected";

export interface TwinTransfer {
  readonly id: number;
  readonly reference: string;
  readonly amount: number;
  readonly fee: number;
  readonly recipient: TwinRecipient;
  readonly reason: string;
  readonly createdAt: Date;
  status: TransferWord;
}

export interface TwinRecipient {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly accountNumber: string;
  readonly bankCode: string;
}

export interface PaystackBankBooks {
  readonly transfers: ReadonlyMap<string, TwinTransfer>;
  readonly recipients: ReadonlyMap<string, TwinRecipient>;
  /** What becomes of the next transfers at once. */
  outcome: TransferWord;
  /** Which of the two statuses a used reference gets. */
  duplicateStatus: 400 | 404;
  /** The list of transfers without a status shows the pending ones only. */
  listsPendingOnly: boolean;
  /** The list of transfers leaves our reference out. */
  listsReferences: boolean;
  /** Whether `GET /bank` knows the codes of the interbank switch. */
  hasNipCodes: boolean;
  readonly missingBanks: Set<string>;
  /** What the list shows instead of the books, by reference. */
  readonly listed: PlantedList<TwinTransfer>;
  /** Ends an open transfer, or takes one back. The money follows. */
  settle(reference: string, status: TransferWord): TwinTransfer;
  /** Kobo that left for recipients and stayed there. */
  paidOut(): number;
  /** Kobo that we were charged for them. */
  fees(): number;
  take(order: Omit<TwinTransfer, "id" | "fee" | "status" | "createdAt">): TwinTransfer;
  keepRecipient(recipient: Omit<TwinRecipient, "id" | "code">): TwinRecipient;
}

const endings: ReadonlySet<TransferWord> = new Set(["failed", "reversed", "abandoned", "blocked", "rejected"]);

export function createBankBooks(account: PaystackAccount): PaystackBankBooks {
  const transfers = new Map<string, TwinTransfer>();
  const recipients = new Map<string, TwinRecipient>();
  const byAccount = new Map<string, TwinRecipient>();
  const paid = () => [...transfers.values()].filter(({ status }) => status === "success");
  const giveBack = ({ amount, fee, id }: TwinTransfer) => account.move(amount + fee, "Transfer", id);
  return {
    transfers,
    recipients,
    outcome: "success",
    duplicateStatus: 400,
    listsPendingOnly: false,
    listsReferences: true,
    hasNipCodes: true,
    missingBanks: new Set(),
    listed: createPlantedList(({ reference }) => reference),
    settle(reference, status) {
      const transfer = transfers.get(reference);
      if (transfer === undefined) throw new Error(`no transfer ${reference}`);
      if (endings.has(transfer.status)) throw new Error(`transfer ${reference} is ${transfer.status}`);
      transfer.status = status;
      if (endings.has(status)) giveBack(transfer);
      return transfer;
    },
    paidOut: () => paid().reduce((sum, { amount }) => sum + amount, 0),
    fees: () => paid().reduce((sum, { fee }) => sum + fee, 0),
    take(order) {
      const status = account.domain === "test" ? "success" : this.outcome;
      const transfer = { ...order, id: account.nextId(), fee: feeOf(order.amount), status, createdAt: new Date() };
      transfers.set(transfer.reference, transfer);
      account.move(-(transfer.amount + transfer.fee), "Transfer", transfer.id);
      if (endings.has(status)) giveBack(transfer);
      return transfer;
    },
    keepRecipient(wanted) {
      const key = `${wanted.bankCode}/${wanted.accountNumber}`;
      const known = byAccount.get(key);
      if (known !== undefined) return known;
      const id = account.nextId();
      const recipient = { ...wanted, id, code: `RCP_${id.toString(36)}` };
      recipients.set(recipient.code, recipient);
      byAccount.set(key, recipient);
      return recipient;
    },
  };
}

/** Naira 10, 25 and 50, by the amount. */
export function feeOf(amount: number): number {
  if (amount <= 5_000_00) return 10_00;
  return amount <= 50_000_00 ? 25_00 : 50_00;
}

export function wholeRecipient({ domain }: PaystackAccount, recipient: TwinRecipient) {
  const { id, code, name, accountNumber, bankCode } = recipient;
  const details = { account_number: accountNumber, account_name: null, bank_code: bankCode, bank_name: "A bank" };
  return { id, active: true, domain, type: "nuban", currency: "NGN", name, recipient_code: code, details };
}

/** As the reply to an order has it: the recipient is a number there. */
export function plainTransfer({ domain }: PaystackAccount, transfer: TwinTransfer) {
  const { id, reference, amount, reason, status, recipient, createdAt } = transfer;
  const at = createdAt.toISOString();
  return {
    id,
    transfer_code: `TRF_${id.toString(36)}`,
    reference,
    amount,
    currency: "NGN",
    source: "balance",
    domain,
    reason,
    status,
    failures: null,
    integration: 100073,
    recipient: recipient.id,
    createdAt: at,
    updatedAt: at,
  };
}

export function wholeTransfer(account: PaystackAccount, transfer: TwinTransfer) {
  const wasPaid = transfer.status === "success" || transfer.status === "reversed";
  return {
    ...plainTransfer(account, transfer),
    recipient: wholeRecipient(account, transfer.recipient),
    fee_charged: transfer.fee,
    gateway_response: transfer.status === "failed" ? "Account is dormant" : null,
    transferred_at: wasPaid ? transfer.createdAt.toISOString() : null,
    session: wasPaid ? { provider: "nip", id: transfer.id.toString().padStart(30, "0") } : { provider: null, id: null },
  };
}
