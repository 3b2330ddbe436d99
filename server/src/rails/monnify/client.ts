/** The wire to Monnify: its addresses, its log-in, one function a call. What a reply means is decided elsewhere. */
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type WireCall, type WireReply } from "../provider-client.ts";
import { createAccessToken } from "./token.ts";

export interface MonnifyClient {
  readonly sourceAccountNumber: string;
  call(call: WireCall): Promise<WireReply>;
  close(): Promise<void>;
}

export function createMonnifyClient({ baseUrl, credentials, onCall }: ConnectionSettings): MonnifyClient {
  const { apiKey = "", secretKey = "", sourceAccountNumber = "" } = credentials;
  const client = createProviderClient({ baseUrl, onCall });
  const access = createAccessToken(client, apiKey, secretKey);

  const call = async (wanted: WireCall, mayLogInAgain: boolean): Promise<WireReply> => {
    const logIn = await access.read();
    if (logIn.token === null) return withoutToken(logIn.reply);
    const { token } = logIn;
    const reply = await client.call({ ...wanted, headers: { authorization: `Bearer ${token}` } });
    if (reply.kind !== "answer" || reply.status !== 401) return reply;
    // The call was refused before anything was done with it, so it may be made again with a new token.
    access.forget(token);
    return mayLogInAgain ? call(wanted, false) : reply;
  };
  return { sourceAccountNumber, call: (wanted) => call(wanted, true), close: client.close };
}

/** Refused keys or a blocked address are said as they are; after any other failure to log in nothing was sent. */
function withoutToken(reply: WireReply): WireReply {
  const isRefused = reply.kind === "answer" && (reply.status === 401 || reply.status === 403);
  return isRefused ? reply : { kind: "not_sent", why: "log_in" };
}

const lookUpMs = 6_000;
const transferMs = 18_000;

export function listBanks(client: MonnifyClient): Promise<WireReply> {
  return client.call({ method: "GET", path: "/api/v1/banks", timeoutMs: lookUpMs });
}

export interface BankAccount {
  readonly bankCode: string;
  readonly accountNumber: string;
}

export function validateAccount(client: MonnifyClient, { bankCode, accountNumber }: BankAccount): Promise<WireReply> {
  const query = { accountNumber, bankCode };
  return client.call({ method: "GET", path: "/api/v1/disbursements/account/validate", query, timeoutMs: lookUpMs });
}

export interface DisbursementCommand extends BankAccount {
  readonly reference: string;
  readonly amount: Kobo;
  readonly narration: string;
  readonly accountName: string;
}

export function disburse(client: MonnifyClient, command: DisbursementCommand): Promise<WireReply> {
  const body = {
    amount: nairaNumber(command.amount),
    reference: command.reference,
    narration: command.narration,
    destinationBankCode: command.bankCode,
    destinationAccountNumber: command.accountNumber,
    destinationAccountName: command.accountName,
    currency: "NGN",
    sourceAccountNumber: client.sourceAccountNumber,
  };
  return client.call({ method: "POST", path: "/api/v2/disbursements/single", body, timeoutMs: transferMs });
}

export function readSummary(client: MonnifyClient, reference: string): Promise<WireReply> {
  const path = "/api/v2/disbursements/single/summary";
  return client.call({ method: "GET", path, query: { reference }, timeoutMs: 8_000 });
}

export function readWallet(client: MonnifyClient): Promise<WireReply> {
  const query = { accountNumber: client.sourceAccountNumber };
  return client.call({ method: "GET", path: "/api/v2/disbursements/wallet-balance", query, timeoutMs: lookUpMs });
}

export interface SearchPage {
  readonly from: Date;
  readonly to: Date;
  /** From 0. */
  readonly page: number;
}

export function searchDisbursements(client: MonnifyClient, { from, to, page }: SearchPage): Promise<WireReply> {
  const query = {
    sourceAccountNumber: client.sourceAccountNumber,
    pageNo: String(page),
    pageSize: "100",
    startDate: String(from.getTime()),
    endDate: String(to.getTime()),
  };
  return client.call({ method: "GET", path: "/api/v2/disbursements/search-transactions", query });
}
