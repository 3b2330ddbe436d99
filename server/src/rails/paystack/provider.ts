/** Paystack as a provider that an operator can connect. */
import { keysOf } from "../../platform/keys-of.ts";
import type { Hold } from "../answer.ts";
import type {
  AccountAnswer,
  AccountQuestion,
  BankRail,
  PaymentAnswer,
  PaymentOrder,
  PaymentQuestion,
  QueryAnswer,
} from "../bank.ts";
import { checkBalance } from "../check-connection.ts";
import { withWholeTrace } from "../payment-record.ts";
import type {
  ApprovalQuestion,
  ConnectionCheck,
  ConnectionMode,
  Float,
  HookRequest,
  Provider,
  ProviderRecord,
  RecordKind,
  RecordPeriod,
} from "../provider.ts";
import {
  type BankList,
  bankCodesIn,
  checkBanks,
  codeOfBank,
  type ListedBank,
  nipCodeOfBank,
  type ProviderBanks,
  rememberBanks,
  unreadBanks,
} from "../provider-banks.ts";
import { wordsAt } from "../provider-words.ts";
import { isRecord, koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { paystackCard } from "./card.ts";
import { listChargeRecords, listRefundRecords } from "./card-records.ts";
import { classifyAccount, classifyQuery, classifyRecipient, classifySend, transferEndings } from "./classify.ts";
import {
  createPaystackClient,
  createRecipient,
  createTransfer,
  disableOtp,
  listBanks,
  listTransfers,
  type PaystackClient,
  readBalance,
  resolveAccount,
  verifyTransfer,
} from "./client.ts";
import { paystackInbound } from "./inbound.ts";
import { listAccountProviders } from "./inbound-calls.ts";
import { isPage, readRows } from "./page.ts";
import { holdIn, refusalIn } from "./refusal.ts";
import { readHook, readSigned } from "./webhook.ts";

const address = "https://api.paystack.co";

export const paystack: Provider = {
  name: "paystack",
  ports: ["bank", "card", "inbound"],
  credentials: [
    {
      name: "secretKey",
      secret: true,
      required: true,
      description: "The secret key of the mode, which begins with sk_live_ or sk_test_",
    },
    {
      name: "accountsDomain",
      secret: false,
      required: false,
      neededFor: ["inbound"],
      description: "A mail domain of yours. Each virtual account has an address there; without it none are opened",
    },
    {
      name: "accountsPhone",
      secret: false,
      required: false,
      description: "A telephone number of yours that Paystack may have for the holders of virtual accounts",
    },
  ],
  defaultBaseUrl: address,
  testBaseUrl: address,
  asksApproval: true,
  connect: (settings) => {
    const { mode, credentials } = settings;
    const { secretKey = "", accountsDomain: domain, accountsPhone: phone } = credentials;
    const client = createPaystackClient(settings);
    const banks = rememberBanks(() => readPaystackBanks(client));
    return {
      bank: paystackBank({ client, banks, mode }),
      card: paystackCard({ client, mode }),
      inbound: paystackInbound({ client, mode, domain, phone }),
      close: client.close,
      check: () => checkPaystack({ client, banks, mode, secretKey, domain }),
      readFloat: () => readFloat(client),
      readHook: (request) => readHook(secretKey, request),
      readApproval: (request) => readApproval(secretKey, banks, request),
      books: { kinds: keysOf(lists), list: (period, kinds) => listRecords(client, period, kinds) },
    };
  },
};

/** Paystack's list of banks. It tells the codes of the interbank switch on request. */
const mostPages = 50;

async function readPaystackBanks(client: PaystackClient): Promise<BankList> {
  const banks: ListedBank[] = [];
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const reply = await listBanks(client, next);
    if (!isPage(reply)) return unreadBanks(holdIn(reply));
    banks.push(...reply.body.data.flatMap(openBank));
    next = textOf(recordAt(reply.body, "meta").next);
    // One of Paystack's samples ends with the word.
    if (next === undefined || next === "null") return { isRead: true, codes: bankCodesIn(banks) };
  }
  return unreadBanks(undefined);
}

function openBank(row: unknown): ListedBank[] {
  const { code, nip_sort_code: nipCode, active, is_deleted: isDeleted, currency = "NGN" } = recordAt(row);
  const known = textOf(code);
  const isOpen = active !== false && isDeleted !== true && currency === "NGN";
  return known !== undefined && isOpen ? [{ code: known, nipCode: textOf(nipCode) }] : [];
}

/**
 * Paystack's own lists, for reconciliation. That of transfers is said to show only open ones when no status is asked
 * for, so each status is asked for, too. The end of the period is fixed, so that pages do not move while they are read.
 */
const lists = { payout: listTransferRecords, charge: listChargeRecords, refund: listRefundRecords };

async function* listRecords(
  client: PaystackClient,
  period: RecordPeriod,
  kinds: readonly RecordKind[],
): AsyncGenerator<ProviderRecord> {
  for (const kind of keysOf(lists)) {
    if (kinds.includes(kind)) yield* lists[kind](client, period);
  }
}

const words = ["pending", "received", "otp", "success", "failed", "reversed", "abandoned", "blocked", "rejected"];

async function* listTransferRecords(client: PaystackClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for (const status of [undefined, ...words]) {
    const read = (page: number) => listTransfers(client, { ...period, page, status });
    for await (const row of readRows("transfers", read)) {
      const id = textOf(row.id) ?? "";
      const record = recordOf(row);
      if (seen.has(id) || record.createdAt < period.from || record.createdAt >= period.to) continue;
      seen.add(id);
      yield record;
    }
  }
}

/** A row that cannot be read ends the run: a list with a hole in it would explain nothing. */
function recordOf(row: WireRecord): ProviderRecord {
  const providerReference = textOf(row.transfer_code) ?? textOf(row.id);
  const amount = koboOf(row.amount);
  const word = textOf(row.status);
  const createdAt = new Date(textOf(row.createdAt) ?? textOf(row.created_at) ?? "");
  const isWhole = textOf(row.id) !== undefined && !Number.isNaN(createdAt.getTime());
  if (providerReference === undefined || amount === undefined || word === undefined || !isWhole) {
    throw new Error("Paystack's list of transfers has a row that cannot be read");
  }
  return {
    kind: "payout",
    providerReference,
    ourId: textOf(row.reference) ?? null,
    amount,
    fee: koboOf(row.fee_charged) ?? null,
    status: transferEndings.get(word) ?? "open",
    word,
    createdAt,
  };
}

/** Payouts by Paystack transfers. The session id is the transfer's reference, which Paystack takes once. */
interface PaystackBankParts {
  readonly client: PaystackClient;
  readonly banks: ProviderBanks;
  readonly mode: ConnectionMode;
}

function paystackBank(parts: PaystackBankParts): BankRail {
  return {
    name: "paystack",
    deduplicatesBySession: true,
    settleWindowMs: 10 * 60_000,
    // Session ids begin with it. It is no code of the switch: Paystack sends under its own.
    senderCode: "999201",
    resolveAccount: (question) => findHolder(parts, question),
    send: (order) => send(parts, order),
    query: (question) => query(parts, question),
  };
}

/** Paystack has the same words for a wrong number and for a bank that is down, so "no" is asked for twice. */
async function findHolder({ client, banks }: PaystackBankParts, question: AccountQuestion): Promise<AccountAnswer> {
  const bank = await codeOfBank(banks, question.nipCode);
  if (bank.code === null) return { found: "unavailable", ...bank.held };
  const account = { bankCode: bank.code, accountNumber: question.accountNumber };
  const ask = async () => classifyAccount(await resolveAccount(client, account), account);
  const first = await ask();
  return first.found === "no" ? ask() : first;
}

async function send(parts: PaystackBankParts, order: PaymentOrder): Promise<PaymentAnswer> {
  const { client, banks, mode } = parts;
  const { sessionId, amount, accountNumber, accountName: name, narration } = order;
  const bank = await codeOfBank(banks, order.nipCode);
  if (bank.code === null) return bank.unsent;
  const account = { bankCode: bank.code, accountNumber };
  const recipient = classifyRecipient(await createRecipient(client, { ...account, name }), account);
  if (recipient.outcome !== "recipient") return recipient;
  const command = { recipient: recipient.code, reference: sessionId, amount, reason: narration.slice(0, 100) };
  const answer = classifySend(await createTransfer(client, command), { sessionId, amount, mode });
  return withWholeTrace(answer, () => query(parts, order));
}

async function query({ client, mode }: PaystackBankParts, question: PaymentQuestion): Promise<QueryAnswer> {
  const { sessionId, amount } = question;
  return classifyQuery(await verifyTransfer(client, sessionId), { sessionId, amount, mode });
}

/** What is looked at before a connection to Paystack is trusted. */
interface CheckParts {
  readonly client: PaystackClient;
  readonly banks: ProviderBanks;
  readonly mode: ConnectionMode;
  readonly secretKey: string;
  /** Of the addresses of virtual accounts; undefined where none are opened. */
  readonly domain: string | undefined;
}

/** A key of the other mode is not tried at all: a test key "pays" everything, and a live one pays for tests. */
async function checkPaystack(parts: CheckParts): Promise<readonly ConnectionCheck[]> {
  const key = checkKey(parts);
  if (key.result === "failed") return [key];
  const balance = checkBalance(await readFloat(parts.client));
  if (balance.result === "failed") return [key, balance];
  const checks = [key, balance, await checkBanks(parts.banks), await checkOtp(parts)];
  return parts.domain === undefined ? checks : [...checks, await checkAccounts(parts, parts.domain)];
}

function checkKey({ secretKey, mode }: CheckParts): ConnectionCheck {
  const name = "key";
  if (secretKey.startsWith(`sk_${mode}_`)) return { name, result: "ok", message: `The key is a ${mode} key` };
  return { name, result: "failed", message: `The secret key of a ${mode} connection begins with sk_${mode}_` };
}

/** There is no call that only asks. Where one-time passwords are on, this one sends a code to the owner. */
async function checkOtp({ client }: CheckParts): Promise<ConnectionCheck> {
  const name = "otp";
  const reply = await disableOtp(client);
  const words = reply.kind === "answer" ? wordsAt(reply.body, "message") : "";
  const isOff = /already|disabled|not (enabled|required)/i.test(words);
  if (refusalIn(reply) !== undefined && isOff) return { name, result: "ok", message: "Transfers need no code" };
  if (/\b(otp|code)\b.*\bsent\b|\bsent\b.*\b(otp|code)\b/i.test(words)) {
    const message = "Transfers ask for a one-time password: switch it off in Paystack's dashboard, then check again";
    return { name, result: "failed", message };
  }
  const message = "Paystack did not say whether transfers ask for a one-time password: see that it is off";
  return { name, result: "warning", message };
}

/** Payouts do not need dedicated accounts, so a business that may not open any is only told. */
async function checkAccounts({ client }: CheckParts, domain: string): Promise<ConnectionCheck> {
  const name = "accounts";
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)) {
    return { name, result: "failed", message: "accountsDomain is not a mail domain, such as accounts.example.com" };
  }
  const reply = await listAccountProviders(client);
  if (isPage(reply)) return { name, result: "ok", message: "Dedicated accounts can be opened" };
  const message = "Paystack does not let our business open dedicated accounts: ask its support to enable them";
  return { name, result: "warning", message };
}

/** The money that transfers are paid from. */
async function readFloat(client: PaystackClient): Promise<Float | Hold | null> {
  const reply = await readBalance(client);
  if (!isPage(reply)) return holdIn(reply) ?? null;
  const naira = reply.body.data.map((row) => recordAt(row)).find(({ currency }) => currency === "NGN");
  const available = koboOf(naira?.balance);
  return available === undefined ? null : { available };
}

/**
 * The question that Paystack asks before it pays, where the operator has switched it on: is this transfer yours? The
 * body is not documented. Integrators saw a bare transfer, a transfer under `data`, and a list under `data.transfers`.
 */

/** As Paystack names it. */
interface NamedTransfer extends Omit<ApprovalQuestion, "nipCode"> {
  readonly bankCode: string;
}

/** Null when the request is forged, or when any transfer in it does not name reference, amount, account and bank. */
export async function readApproval(
  secretKey: string,
  banks: ProviderBanks,
  request: HookRequest,
): Promise<readonly ApprovalQuestion[] | null> {
  const questions: ApprovalQuestion[] = [];
  for (const { bankCode, ...named } of readTransfers(secretKey, request) ?? []) {
    const nipCode = await nipCodeOfBank(banks, bankCode);
    if (nipCode === undefined) return null;
    questions.push({ ...named, nipCode });
  }
  return questions.length === 0 ? null : questions;
}

export function readTransfers(secretKey: string, request: HookRequest): readonly NamedTransfer[] | null {
  const body = readSigned(secretKey, request);
  if (body === undefined) return null;
  const named: NamedTransfer[] = [];
  for (const transfer of transfersIn(body)) {
    const found = nameIn(transfer);
    if (found === undefined) return null;
    named.push(found);
  }
  return named.length === 0 ? null : named;
}

function transfersIn(body: unknown): readonly unknown[] {
  const { data = body } = recordAt(body);
  const { transfers } = recordAt(data);
  // A transfer beside the place that is read would be approved unseen.
  if (data !== body && namesTransfers(body)) return [];
  if (transfers !== undefined) return Array.isArray(transfers) ? transfers : [];
  return Array.isArray(data) ? data : [data];
}

function namesTransfers(body: unknown): boolean {
  const { transfers, reference } = recordAt(body);
  return transfers !== undefined || reference !== undefined;
}

function nameIn(transfer: unknown): NamedTransfer | undefined {
  if (!isRecord(transfer)) return undefined;
  const sessionId = textOf(transfer.reference);
  const amount = koboOf(transfer.amount);
  const account = accountIn(transfer);
  const { currency = "NGN" } = transfer;
  if (sessionId === undefined || amount === undefined || account === undefined || currency !== "NGN") return undefined;
  return { sessionId, amount, ...account };
}

/** Number and bank from the same place: two halves of two accounts are none, and two accounts are none either. */
function accountIn(transfer: unknown): Pick<NamedTransfer, "accountNumber" | "bankCode"> | undefined {
  const places = [recordAt(transfer, "recipient", "details"), recordAt(transfer, "recipient"), recordAt(transfer)];
  const place = places.find(({ account_number: number }) => textOf(number) !== undefined);
  const [accountNumber, bankCode] = [textOf(place?.account_number), textOf(place?.bank_code)];
  if (accountNumber === undefined || bankCode === undefined) return undefined;
  const agrees = (named: unknown, ours: string) => named === undefined || named === null || textOf(named) === ours;
  const agree = places.every(
    ({ account_number, bank_code }) => agrees(account_number, accountNumber) && agrees(bank_code, bankCode),
  );
  return agree ? { accountNumber, bankCode } : undefined;
}
