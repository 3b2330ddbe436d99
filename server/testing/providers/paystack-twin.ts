/**
 * Paystack's twin: one business account with its key, its balance and the ledger of it. What the account can do comes
 * in parts, each a table of routes over the same account. Refusals are in Paystack's own words where those are known.
 */
import {
  openAccount,
  type PaystackAccount,
  type PaystackPart,
  refused,
  signPaystack,
} from "./paystack-twin-account.ts";
import { paystackBankRoutes } from "./paystack-twin-bank.ts";
import { createBankBooks, type PaystackBankBooks } from "./paystack-twin-books.ts";
import { pagePath } from "./paystack-twin-page.ts";
import { startTwin, type Twin } from "./twin.ts";
import { postHook, type TwinReply, type TwinRequest } from "./twin-wire.ts";

export interface PaystackTwinOptions {
  readonly secretKey?: string;
  /** What the account starts with, in kobo. */
  readonly float?: number;
  /** The ids of its records begin here. A twin that is started again must not use those of its last life. */
  readonly firstId?: number;
  /** Beside transfers. */
  readonly parts?: readonly PaystackPart[];
}

export type HookManner = "signed" | "forged" | "unsigned";

export interface PaystackTwin extends Twin {
  readonly account: PaystackAccount;
  readonly bank: PaystackBankBooks;
  /** Sends an event to a URL and returns the status of the reply. */
  sendHook(url: string, event: string, data: unknown, manner?: HookManner): Promise<number>;
}

export async function startPaystackTwin(port = 0, options: PaystackTwinOptions = {}): Promise<PaystackTwin> {
  const account = openAccount(options.secretKey ?? "sk_live_twin", options.float ?? 100_000_000_00, options.firstId);
  const bank = createBankBooks(account);
  const twin = await startTwin({
    port,
    routes: [paystackBankRoutes(account, bank), ...(options.parts ?? []).map((part) => part(account))],
    refuse: (request) => refuse(account, request),
    nothingHere: refused(404, "Endpoint not found"),
  });
  return {
    ...twin,
    account,
    bank,
    sendHook: (url, event, data, manner = "signed") => {
      const raw = JSON.stringify({ event, data });
      return postHook(url, raw, signatureHeaders(manner, account.secretKey, raw));
    },
  };
}

function signatureHeaders(manner: HookManner, secretKey: string, raw: string): Record<string, string> {
  if (manner === "unsigned") return {};
  return { "x-paystack-signature": signPaystack(manner === "signed" ? secretKey : "sk_live_of_a_thief", raw) };
}

function refuse({ secretKey }: PaystackAccount, { headers, path }: TwinRequest): TwinReply | undefined {
  // A holder's browser and the twin's own controls have no key.
  if (path.startsWith(pagePath) || path.startsWith("/twin/")) return undefined;
  if (headers.authorization === undefined) return refused(401, "No Authorization Header was found");
  return headers.authorization === `Bearer ${secretKey}` ? undefined : refused(401, "Invalid key");
}
