/**
 * Account numbers for wallets by Paystack's dedicated accounts, and the money paid into them. Paystack takes no id of
 * ours for an account, so each wallet is a customer of its own there, known by an e-mail address that holds the
 * wallet's id: a second try finds the first one's customer and account.
 */
import type { NoRecord, Unknown } from "../answer.ts";
import type { AccountOpening, AccountOrder, CreditPeriod, InboundRail } from "../inbound.ts";
import type { ConnectionMode } from "../provider.ts";
import { textOf } from "../wire-json.ts";
import {
  classifyAccountOpening,
  classifyAccounts,
  classifyCredit,
  classifyHolder,
  type ExpectedHolder,
  isCredit,
} from "./classify-inbound.ts";
import type { PaystackClient } from "./client.ts";
import {
  createCustomer,
  createDedicatedAccount,
  fetchCustomer,
  fetchTransaction,
  listCreditPage,
  listDedicatedAccounts,
} from "./inbound-calls.ts";
import { readRows } from "./page.ts";

export interface PaystackInboundParts {
  readonly client: PaystackClient;
  readonly mode: ConnectionMode;
  /** The operator's, for the addresses of accounts' holders. Nothing can be opened without it. */
  readonly domain: string | undefined;
  readonly phone: string | undefined;
}

export function paystackInbound(parts: PaystackInboundParts): InboundRail {
  return {
    name: "paystack",
    opensAccounts: parts.domain !== undefined,
    settleWindowMs: 10 * 60_000,
    openAccount: (order) => openAccount(parts, order),
    findAccount: (order) => findAccount(parts, order),
    readCredit: async (transactionId) => {
      // Ids are digits; anything else would be another address.
      if (!/^\d{1,20}$/.test(transactionId)) return { outcome: "no_record" };
      return classifyCredit(await fetchTransaction(parts.client, transactionId), { transactionId, mode: parts.mode });
    },
    listCredits: (period) => listCredits(parts, period),
  };
}

/** Undefined where the operator has taken the domain away: then nobody can be asked about. */
function holderOf({ domain, mode }: PaystackInboundParts, { walletId }: AccountOrder): ExpectedHolder | undefined {
  return domain === undefined ? undefined : { email: `wallet-${walletId}@${domain}`, mode };
}

/** The wallet that an address of ours stands for. */
export function walletOf(email: unknown): string | undefined {
  return /^wallet-([0-9a-f-]{36})@/.exec(textOf(email)?.toLowerCase() ?? "")?.[1];
}

async function findAccount(parts: PaystackInboundParts, order: AccountOrder): Promise<AccountOpening | NoRecord> {
  const expected = holderOf(parts, order);
  if (expected === undefined) return withoutDomain;
  const holder = classifyHolder(await fetchCustomer(parts.client, expected.email), expected);
  if (holder.outcome === "refused") return undecided;
  if (holder.outcome !== "holder") return holder;
  return classifyAccounts(await listDedicatedAccounts(parts.client, holder.id), holder);
}

/** A question that is refused says nothing about the account. */
const undecided: Unknown = { outcome: "unknown", code: "question_refused" };

const withoutDomain: Unknown = {
  outcome: "unknown",
  code: "no_domain",
  alarm: "The connection has no accountsDomain: accounts that are being opened wait for it",
};

async function openAccount(parts: PaystackInboundParts, order: AccountOrder): Promise<AccountOpening> {
  const { client, mode, phone } = parts;
  const expected = holderOf(parts, order);
  if (expected === undefined) return withoutDomain;
  const found = await findAccount(parts, order);
  if (found.outcome !== "no_record") return found;
  const made = await createCustomer(client, { email: expected.email, name: order.name, phone });
  const holder = classifyHolder(made, expected);
  if (holder.outcome === "no_record") return undecided;
  if (holder.outcome !== "holder") return holder;
  // Test accounts are given out by a bank that does not exist; live ones by the one that Paystack chooses.
  const bank = mode === "test" ? "test-bank" : undefined;
  return classifyAccountOpening(await createDedicatedAccount(client, { customer: holder.code, bank }), holder);
}

async function* listCredits({ client }: PaystackInboundParts, period: CreditPeriod): AsyncGenerator<string> {
  for await (const row of readRows("payments", (page) => listCreditPage(client, { ...period, page }))) {
    const id = textOf(row.id);
    if (id === undefined) throw new Error("Paystack's list of payments has a row without an id");
    if (isCredit(row)) yield id;
  }
}
