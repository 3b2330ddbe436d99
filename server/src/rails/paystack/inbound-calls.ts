/** The wire to Paystack, for money that comes in: one function a call. What a reply means is decided elsewhere. */
import type { WireReply } from "../provider-client.ts";
import type { PaystackClient } from "./client.ts";

const callMs = 8_000;

/** By e-mail or by code. */
export function fetchCustomer(client: PaystackClient, emailOrCode: string): Promise<WireReply> {
  return client.get(`/customer/${encodeURIComponent(emailOrCode)}`, {}, callMs);
}

export interface CustomerCommand {
  readonly email: string;
  readonly name: string;
  readonly phone: string | undefined;
}

/** A second customer with the same e-mail is the first one. Paystack wants two names. */
export function createCustomer(client: PaystackClient, { email, name, phone }: CustomerCommand): Promise<WireReply> {
  const [first = name, ...rest] = name.trim().split(/\s+/);
  const last = rest.length === 0 ? first : rest.join(" ");
  const body = { email, first_name: first, last_name: last, ...(phone === undefined ? {} : { phone }) };
  return client.post("/customer", body, callMs);
}

export function listDedicatedAccounts(client: PaystackClient, customerId: string): Promise<WireReply> {
  return client.get("/dedicated_account", { customer: customerId, currency: "NGN", perPage: "100" }, callMs);
}

export function createDedicatedAccount(
  client: PaystackClient,
  { customer, bank }: { readonly customer: string; readonly bank: string | undefined },
): Promise<WireReply> {
  return client.post(
    "/dedicated_account",
    { customer, ...(bank === undefined ? {} : { preferred_bank: bank }) },
    12_000,
  );
}

/** The banks that give numbers out; refused where the business may not have any. */
export function listAccountProviders(client: PaystackClient): Promise<WireReply> {
  return client.get("/dedicated_account/available_providers", {}, callMs);
}

export function fetchTransaction(client: PaystackClient, id: string): Promise<WireReply> {
  return client.get(`/transaction/${id}`, {}, callMs);
}

export interface CreditPage {
  readonly from: Date;
  readonly to: Date;
  readonly page: number;
}

/** The filter by channel is in Paystack's own description of its API and not on its page: rows are looked at again. */
export function listCreditPage(client: PaystackClient, { from, to, page }: CreditPage): Promise<WireReply> {
  const period = { from: from.toISOString(), to: to.toISOString() };
  const query = { perPage: "100", page: String(page), status: "success", channel: "dedicated_nuban", ...period };
  return client.get("/transaction", query, 12_000);
}
