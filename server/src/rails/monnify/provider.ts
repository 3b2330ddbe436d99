/** Monnify as a provider that an operator can connect. */

import type { Kobo } from "../../money/kobo.ts";
import { accountNameOf } from "../account-name.ts";
import type { Hold, TakenBack } from "../answer.ts";
import type {
  AccountAnswer,
  AccountQuestion,
  BankRail,
  PaymentAnswer,
  PaymentOrder,
  PaymentQuestion,
  QueryAnswer,
} from "../bank.ts";
import { checkAddress, checkBalance } from "../check-connection.ts";
import { isSigned } from "../hook-signature.ts";
import { asSent, classifyRecord, type PaymentEnding, traceFrom, withWholeTrace } from "../payment-record.ts";
import type {
  ConnectionCheck,
  ConnectionSettings,
  Float,
  Hint,
  HookRequest,
  Provider,
  ProviderRecord,
  RecordPeriod,
} from "../provider.ts";
import {
  type BankList,
  bankCodesIn,
  checkBanks,
  codeOfBank,
  type ListedBank,
  type ProviderBanks,
  rememberBanks,
  unreadBanks,
} from "../provider-banks.ts";
import type { WireReply } from "../provider-client.ts";
import { listAt, nairaOf, parseWireJson, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import {
  type BankAccount,
  createMonnifyClient,
  disburse,
  listBanks,
  type MonnifyClient,
  readSummary,
  readWallet,
  searchDisbursements,
  validateAccount,
} from "./client.ts";
import { bodyIn, holdIn, listIn, type Refusal, refusalIn, unknownFrom } from "./reply.ts";

const hosts = { live: ["api.monnify.com"], test: ["sandbox.monnify.com"] };

export const monnify: Provider = {
  name: "monnify",
  ports: ["bank"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "The API key, MK_PROD_… or MK_TEST_…" },
    { name: "secretKey", secret: true, required: true, description: "The secret key; it also signs webhooks" },
    {
      name: "sourceAccountNumber",
      secret: false,
      required: true,
      description: "The account number of the wallet that disbursements are paid from",
    },
  ],
  defaultBaseUrl: "https://api.monnify.com",
  testBaseUrl: "https://sandbox.monnify.com",
  connect: (settings) => {
    const { secretKey = "" } = settings.credentials;
    const client = createMonnifyClient(settings);
    const banks = rememberBanks(() => readMonnifyBanks(client));
    return {
      bank: monnifyBank({ client, banks }),
      close: client.close,
      check: () => check(settings, client, banks),
      readFloat: () => readFloat(client),
      readHook: (request) => readHook(secretKey, request),
      books: { kinds: ["payout"], list: (period) => listDisbursements(client, period) },
    };
  },
};

/** Replies do not tell the mode: the address and the key do. Neither is tried with the other mode's partner. */
async function check(
  settings: ConnectionSettings,
  client: MonnifyClient,
  banks: ProviderBanks,
): Promise<readonly ConnectionCheck[]> {
  const known = [checkAddress(settings, hosts), checkKey(settings)];
  if (known.some(({ result }) => result === "failed")) return known;
  const balance = checkBalance(await readFloat(client));
  return balance.result === "failed" ? [...known, balance] : [...known, balance, await checkBanks(banks)];
}

function checkKey({ mode, credentials }: ConnectionSettings): ConnectionCheck {
  const name = "key";
  const prefix = mode === "live" ? "MK_PROD_" : "MK_TEST_";
  if (credentials.apiKey?.startsWith(prefix)) return { name, result: "ok", message: `The key is a ${mode} key.` };
  return { name, result: "failed", message: `The API key of a ${mode} connection begins with ${prefix}.` };
}

/** The wallet that disbursements are paid from. */
export async function readFloat(client: MonnifyClient): Promise<Float | Hold | null> {
  const reply = await readWallet(client);
  const available = nairaOf(bodyIn(reply)?.availableBalance);
  return available === undefined ? (holdIn(reply) ?? null) : { available };
}

/** Monnify's list of banks. Its codes are the CBN's; where it tells the switch's, they count. */
async function readMonnifyBanks(client: MonnifyClient): Promise<BankList> {
  const reply = await listBanks(client);
  const rows = listIn(reply);
  if (rows === undefined) return unreadBanks(holdIn(reply));
  return { isRead: true, codes: bankCodesIn(rows.flatMap(bankIn)) };
}

function bankIn(row: unknown): ListedBank[] {
  const { code, nipBankCode } = recordAt(row);
  const known = textOf(code);
  return known === undefined ? [] : [{ code: known, nipCode: textOf(nipBankCode) }];
}

/**
 * Monnify's webhooks. The signature is the hexadecimal HMAC-SHA512 of the body as it arrived, under the secret key; the
 * prose of its page describes another hash, its library and its sample agree with this one.
 */
const aboutPayouts: ReadonlySet<string> = new Set([
  "SUCCESSFUL_DISBURSEMENT",
  "FAILED_DISBURSEMENT",
  "REVERSED_DISBURSEMENT",
]);

export function readHook(secretKey: string, { body, headers }: HookRequest): Hint {
  if (!isSigned(secretKey, body, headers["monnify-signature"])) return { about: "forged" };
  const told = parseWireJson(body.toString("utf8"));
  const event = textOf(recordAt(told).eventType) ?? "unreadable";
  const id = textOf(recordAt(told, "eventData").reference);
  return aboutPayouts.has(event) && id !== undefined ? { about: "bank", id, event } : { about: "nothing", event };
}

/** Monnify's own list of disbursements, for reconciliation. */
const mostPages = 10_000;

export async function* listDisbursements(client: MonnifyClient, period: RecordPeriod): AsyncGenerator<ProviderRecord> {
  const seen = new Set<string>();
  for (let page = 0; page < mostPages; page += 1) {
    const body = bodyIn(await searchDisbursements(client, { ...period, page }));
    if (body === undefined || !Array.isArray(body.content)) {
      throw new Error("Monnify's list of disbursements could not be read");
    }
    for (const row of listAt(body, "content")) {
      const record = recordOf(recordAt(row));
      const isWanted = record.createdAt >= period.from && record.createdAt < period.to;
      if (seen.has(record.providerReference) || !isWanted) continue;
      seen.add(record.providerReference);
      yield record;
    }
    const isLast = typeof body.totalPages === "number" && page + 1 >= body.totalPages;
    if (body.content.length === 0 || isLast) return;
  }
  throw new Error("Monnify's list of disbursements does not end");
}

/** A row that cannot be read ends the run: a list with a hole in it would explain nothing. */
function recordOf(row: WireRecord): ProviderRecord {
  const providerReference = textOf(row.transactionReference) ?? textOf(row.reference);
  const amount = nairaOf(row.amount);
  const word = textOf(row.status);
  const createdAt = readMonnifyTime(row.createdOn ?? row.dateCreated);
  if (providerReference === undefined || amount === undefined || word === undefined || createdAt === undefined) {
    throw new Error("Monnify's list of disbursements has a row that cannot be read");
  }
  return {
    kind: "payout",
    providerReference,
    ourId: textOf(row.reference) ?? null,
    amount,
    fee: nairaOf(row.fee ?? row.totalFee) ?? null,
    status: disbursementEndings.get(word) ?? "open",
    word,
    createdAt,
  };
}

/** Monnify writes a moment in several ways. One without a zone is taken for Lagos, an hour ahead of UTC all year. */
const iso = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:?\d{2})?$/;
const byDay = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i;

export function readMonnifyTime(value: unknown): Date | undefined {
  if (typeof value === "number") return valid(new Date(value));
  const text = textOf(value)?.trim() ?? "";
  const [, date, time, zone = "+01:00"] = iso.exec(text) ?? [];
  if (date !== undefined) return valid(new Date(`${date}T${time}${zone.replace(/(\d{2})(\d{2})$/, "$1:$2")}`));
  const [, day, month, year, hour, minute, second, half] = byDay.exec(text) ?? [];
  if (day === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "P" ? 12 : 0);
  return valid(new Date(`${year}-${month}-${day}T${String(hours).padStart(2, "0")}:${minute}:${second}+01:00`));
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Payouts by Monnify's single disbursements. The session id is the disbursement's reference, which is taken once. */
interface Parts {
  readonly client: MonnifyClient;
  readonly banks: ProviderBanks;
}

function monnifyBank(parts: Parts): BankRail {
  return {
    name: "monnify",
    deduplicatesBySession: true,
    settleWindowMs: 10 * 60_000,
    // Session ids begin with it. It is no code of the switch: Monnify sends under its own.
    senderCode: "999202",
    resolveAccount: (question) => findHolder(parts, question),
    send: (order) => send(parts, order),
    query: (question) => query(parts, question),
  };
}

/** The words for a wrong number are not documented, so "no" is asked for twice. */
async function findHolder({ client, banks }: Parts, question: AccountQuestion): Promise<AccountAnswer> {
  const bank = await codeOfBank(banks, question.nipCode);
  if (bank.code === null) return { found: "unavailable", ...bank.held };
  const account = { bankCode: bank.code, accountNumber: question.accountNumber };
  const ask = async () => classifyAccount(await validateAccount(client, account), account);
  const first = await ask();
  return first.found === "no" ? ask() : first;
}

async function send({ client, banks }: Parts, order: PaymentOrder): Promise<PaymentAnswer> {
  const bank = await codeOfBank(banks, order.nipCode);
  if (bank.code === null) return bank.unsent;
  const { sessionId, accountNumber, accountName, amount } = order;
  // Monnify wants at least three characters.
  const narration = order.narration.trim().length < 3 ? "Payment" : order.narration.trim().slice(0, 100);
  const command = { bankCode: bank.code, accountNumber, accountName, amount, reference: sessionId, narration };
  return withWholeTrace(classifySend(await disburse(client, command), order), () => query({ client }, order));
}

async function query({ client }: Pick<Parts, "client">, question: PaymentQuestion): Promise<QueryAnswer> {
  return classifyQuery(await readSummary(client, question.sessionId), question);
}

/**
 * What Monnify's replies about disbursements mean. Pure and total: whatever arrives is one of our answers. A payment is
 * a success only when Monnify says so about our reference and our amount, in naira.
 */

/** Our side of a disbursement. */
export interface Expected {
  readonly sessionId: string;
  readonly amount: Kobo;
}

/** The words that end a disbursement. Every other word leaves it open. */
const disbursementEndings: ReadonlyMap<string, PaymentEnding> = new Map([
  ["SUCCESS", "success"],
  ["COMPLETED", "success"],
  ["FAILED", "failure"],
  ["EXPIRED", "failure"],
  ["REVERSED", "taken_back"],
]);

const reasons: Readonly<Record<string, string>> = {
  FAILED: "The payment failed at the bank",
  EXPIRED: "The payment was not confirmed in time and was given up",
  REVERSED: "The payment was returned by the bank",
};

export function classifySend(reply: WireReply, expected: Expected): PaymentAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) return asSent(classifyDisbursement(body, expected));
  const refusal = refusalIn(reply);
  if (refusal === undefined || holdIn(reply) !== undefined || !refusesOrder(refusal)) return unknownFrom(reply);
  return { outcome: "failure", code: "payment_refused", message: "The payment was refused before it was made" };
}

export function classifyQuery(reply: WireReply, expected: Expected): QueryAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) return classifyDisbursement(body, expected);
  const { status, words = "" } = refusalIn(reply) ?? {};
  const isUnheardOf = status === 404 && /^(transfer|transaction|disbursement)\b.*\bnot found\b/i.test(words);
  return isUnheardOf ? { outcome: "no_record" } : unknownFrom(reply);
}

/**
 * Whether nothing was made and nothing will be. D07 (the same account and amount within two minutes) means that nothing
 * was made *now*: it stays unknown, a question finds no record, and it is sent again after the settle window.
 */
function refusesOrder({ status, code, words }: Refusal): boolean {
  const isDuplicate = code === "D07" || /duplicate|already|exists?\b|unique/i.test(words);
  const isPassing = /try again|retry|later|temporar|time.?out|unavailable/i.test(words);
  if (isDuplicate || isPassing || ![200, 400, 422].includes(status)) return false;
  const isAboutAccount = /\b(destination|beneficiary|account|bank)\b/i.test(words) && /invalid|not found/i.test(words);
  const isAboutAmount = /\bamount\b/i.test(words) && /invalid|minimum|maximum|at least|less than|greater/i.test(words);
  const isAboutUs = /\bsource\b|\bwallet\b/i.test(words);
  return (isAboutAccount || isAboutAmount) && !isAboutUs;
}

const awaitsCode: ReadonlySet<string> = new Set(["PENDING_AUTHORIZATION", "OTP_EMAIL_DISPATCH_FAILED"]);
const switchOff = "Monnify asks for a one-time password: have it switched off for API disbursements";

function classifyDisbursement(body: WireRecord, expected: Expected): PaymentAnswer | TakenBack {
  const word = textOf(body.status) ?? "";
  return classifyRecord({
    provider: "Monnify",
    word,
    endings: disbursementEndings,
    reasons,
    facts: [
      { name: "reference", value: body.reference, agrees: body.reference === expected.sessionId },
      { name: "amount", value: body.amount, agrees: nairaOf(body.amount) === expected.amount },
      // The reply to an order has none.
      { name: "currency", value: body.currency, agrees: body.currency === "NGN", mayBeMissing: true },
    ],
    trace: traceFrom(textOf(body.transactionReference), textOf(body.sessionId), nairaOf(body.fee ?? body.totalFee)),
    awaitsCode: awaitsCode.has(word) ? switchOff : undefined,
  });
}

export function classifyAccount(reply: WireReply, { accountNumber }: BankAccount): AccountAnswer {
  const body = bodyIn(reply);
  if (body !== undefined) {
    const accountName = accountNameOf(body.accountName);
    const isOurs = body.accountNumber === accountNumber;
    return accountName !== undefined && isOurs ? { found: "yes", accountName } : { found: "unavailable" };
  }
  const hold = holdIn(reply);
  if (hold !== undefined) return { found: "unavailable", hold };
  const refusal = refusalIn(reply);
  return { found: refusal !== undefined && findsNobody(refusal) ? "no" : "unavailable" };
}

function findsNobody({ status, words }: Refusal): boolean {
  if (![400, 404, 422].includes(status) || /\bbank\b|try again|later|temporar|unavailable/i.test(words)) return false;
  return /\baccount\b/i.test(words) && /invalid|not found|not exist|could not be (resolved|validated)/i.test(words);
}
