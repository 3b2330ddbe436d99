/** The wire to Paystack: its addresses, its headers, one function a call. What a reply means is decided elsewhere. */
import type { Kobo } from "../../money/kobo.ts";
import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type WireCall, type WireReply } from "../provider-client.ts";

type Query = NonNullable<WireCall["query"]>;

export interface PaystackClient {
  get(path: string, query?: Query, timeoutMs?: number): Promise<WireReply>;
  post(path: string, body: unknown, timeoutMs?: number): Promise<WireReply>;
  close(): Promise<void>;
}

export function createPaystackClient({ baseUrl, credentials, onCall }: ConnectionSettings): PaystackClient {
  const client = createProviderClient({ baseUrl, onCall });
  const headers = { authorization: `Bearer ${credentials.secretKey ?? ""}` };
  const limit = (timeoutMs: number | undefined) => (timeoutMs === undefined ? {} : { timeoutMs });
  return {
    get: (path, query = {}, timeoutMs) => client.call({ method: "GET", path, query, headers, ...limit(timeoutMs) }),
    post: (path, body, timeoutMs) => client.call({ method: "POST", path, body, headers, ...limit(timeoutMs) }),
    close: client.close,
  };
}

/** A payout is two calls, which together stay below the 30 seconds that a payout may take. */
const recipientMs = 8_000;
const transferMs = 18_000;
const lookUpMs = 6_000;

export function listBanks(client: PaystackClient, next: string | undefined): Promise<WireReply> {
  const query = { country: "nigeria", perPage: "100", use_cursor: "true", include_nip_sort_code: "true", next };
  return client.get("/bank", query, lookUpMs);
}

export interface BankAccount {
  /** Paystack's own code of the bank. */
  readonly bankCode: string;
  readonly accountNumber: string;
}

export function resolveAccount(client: PaystackClient, { bankCode, accountNumber }: BankAccount): Promise<WireReply> {
  return client.get("/bank/resolve", { account_number: accountNumber, bank_code: bankCode }, lookUpMs);
}

/** A second recipient for the same account is the first one. */
export function createRecipient(
  client: PaystackClient,
  { bankCode, accountNumber, name }: BankAccount & { readonly name: string },
): Promise<WireReply> {
  const body = { type: "nuban", name, account_number: accountNumber, bank_code: bankCode, currency: "NGN" };
  return client.post("/transferrecipient", body, recipientMs);
}

export interface TransferCommand {
  readonly recipient: string;
  readonly reference: string;
  readonly amount: Kobo;
  readonly reason: string;
}

export function createTransfer(client: PaystackClient, command: TransferCommand): Promise<WireReply> {
  const { recipient, reference, amount, reason } = command;
  const body = { source: "balance", amount: Number(amount), recipient, reference, reason, currency: "NGN" };
  return client.post("/transfer", body, transferMs);
}

export function verifyTransfer(client: PaystackClient, reference: string): Promise<WireReply> {
  return client.get(`/transfer/verify/${encodeURIComponent(reference)}`, {}, 12_000);
}

export interface TransferPage {
  readonly from: Date;
  readonly to: Date;
  readonly page: number;
  /** Without one, Paystack chooses. */
  readonly status: string | undefined;
}

export function listTransfers(client: PaystackClient, { from, to, page, status }: TransferPage): Promise<WireReply> {
  const query = { perPage: "100", page: String(page), from: from.toISOString(), to: to.toISOString(), status };
  return client.get("/transfer", query);
}

export function readBalance(client: PaystackClient): Promise<WireReply> {
  return client.get("/balance", {}, lookUpMs);
}

/** Asks for the switch-off of one-time passwords. Where they are on, Paystack sends a code to the owner. */
export function disableOtp(client: PaystackClient): Promise<WireReply> {
  return client.post("/transfer/disable_otp", {}, lookUpMs);
}
