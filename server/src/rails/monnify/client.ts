/** The wire to Monnify: its addresses, its log-in, one function a call. What a reply means is decided elsewhere. */
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type ProviderClient, type WireCall, type WireReply } from "../provider-client.ts";
import { recordAt, textOf } from "../wire-json.ts";

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

/**
 * Monnify's access token: got with the two keys, good for about an hour, kept in memory only. It is renewed a minute
 * before it ends, and callers that need one at the same time share one log-in.
 */
type LogIn = { readonly token: string } | { readonly token: null; readonly reply: WireReply };

interface AccessToken {
  read(): Promise<LogIn>;
  /** The token was refused: the next caller logs in. A token that is newer than the refused one stays. */
  forget(refused: string): void;
}

const renewBeforeMs = 60_000;
const logInMs = 6_000;

function createAccessToken(client: ProviderClient, apiKey: string, secretKey: string): AccessToken {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString("base64")}`;
  let known: { readonly token: string; readonly renewAt: number } | undefined;
  let loggingIn: Promise<LogIn> | undefined;

  const logIn = async (): Promise<LogIn> => {
    const began = performance.now();
    const headers = { authorization };
    const reply = await client.call({
      method: "POST",
      path: "/api/v1/auth/login",
      headers,
      body: {},
      timeoutMs: logInMs,
    });
    const found = reply.kind === "answer" && reply.status === 200 ? tokenIn(reply.body) : undefined;
    if (found === undefined) return { token: null, reply };
    known = { token: found.token, renewAt: began + found.lifeMs - renewBeforeMs };
    return { token: found.token };
  };

  return {
    read: async () => {
      if (known !== undefined && performance.now() < known.renewAt) return { token: known.token };
      loggingIn ??= logIn().finally(() => {
        loggingIn = undefined;
      });
      return loggingIn;
    },
    forget: (refused) => {
      if (known?.token === refused) known = undefined;
    },
  };
}

function tokenIn(body: unknown): { token: string; lifeMs: number } | undefined {
  if (recordAt(body).requestSuccessful !== true) return undefined;
  const { accessToken, expiresIn } = recordAt(body, "responseBody");
  const token = textOf(accessToken);
  // Without a word about its life it serves for the call that asked for it.
  return token === undefined ? undefined : { token, lifeMs: Number(textOf(expiresIn) ?? 0) * 1_000 };
}
