/** The wire to Paystack, for cards: one function a call. What a reply means is decided elsewhere. */
import type { Kobo } from "../../money/kobo.ts";
import type { WireReply } from "../provider-client.ts";
import type { PaystackClient } from "./client.ts";

export interface PageCommand {
  readonly reference: string;
  readonly email: string;
  readonly amount: Kobo;
  readonly callbackUrl: string;
}

/** Opens a page that takes cards only. */
export function initializeTransaction(client: PaystackClient, command: PageCommand): Promise<WireReply> {
  const { reference, email, amount, callbackUrl } = command;
  const order = { reference, email, amount: Number(amount), currency: "NGN" };
  return client.post("/transaction/initialize", { ...order, channels: ["card"], callback_url: callbackUrl }, 12_000);
}

export function verifyTransaction(client: PaystackClient, reference: string): Promise<WireReply> {
  return client.get(`/transaction/verify/${encodeURIComponent(reference)}`, {}, 12_000);
}

/** What a card is charged by: only the e-mail that it was linked with works. */
export interface Authorization {
  readonly code: string;
  readonly email: string;
}

export interface ChargeCommand extends Authorization {
  readonly reference: string;
  readonly amount: Kobo;
}

export function chargeAuthorization(client: PaystackClient, command: ChargeCommand): Promise<WireReply> {
  const { code, email, reference, amount } = command;
  const body = { authorization_code: code, email, reference, amount: Number(amount), currency: "NGN" };
  return client.post("/transaction/charge_authorization", body, 40_000);
}

export interface RefundCommand {
  readonly transactionId: string;
  readonly amount: Kobo;
  /** Refunds have no reference. This is what we find ours by. */
  readonly note: string;
}

export function createRefund(
  client: PaystackClient,
  { transactionId, amount, note }: RefundCommand,
): Promise<WireReply> {
  const body = { transaction: transactionId, amount: Number(amount), currency: "NGN", merchant_note: note };
  return client.post("/refund", body, 15_000);
}

export function listRefunds(client: PaystackClient, transactionId: string, page: number): Promise<WireReply> {
  return client.get("/refund", { transaction: transactionId, perPage: "100", page: String(page) }, 8_000);
}

export interface ListPage {
  readonly from: Date;
  readonly to: Date;
  readonly page: number;
}

export function listTransactions(client: PaystackClient, page: ListPage): Promise<WireReply> {
  return client.get("/transaction", pageQuery(page));
}

export function listRefundPage(client: PaystackClient, page: ListPage): Promise<WireReply> {
  return client.get("/refund", pageQuery(page));
}

function pageQuery({ from, to, page }: ListPage) {
  return { perPage: "100", page: String(page), from: from.toISOString(), to: to.toISOString() };
}

export function deactivateAuthorization(client: PaystackClient, code: string): Promise<WireReply> {
  return client.post("/customer/authorization/deactivate", { authorization_code: code }, 12_000);
}
