/** Monnify's twin: log-in with two keys, tokens that end, one wallet, single disbursements, signed webhooks. */
import { createHmac } from "node:crypto";
import { listBanks } from "../../src/rails/bank-directory.ts";
import { nairaOf } from "../../src/rails/wire-json.ts";
import {
  createMonnifyBooks,
  feeOf,
  type MonnifyBooks,
  naira,
  plainDisbursement,
  wholeDisbursement,
} from "./monnify-books.ts";
import { startTwin, type Twin, type TwinRoutes } from "./twin.ts";
import { postHook, type TwinReply, type TwinRequest } from "./twin-wire.ts";

export const monnifyKeys = { apiKey: "MK_PROD_TWIN", secretKey: "twin-secret", sourceAccountNumber: "8016472829" };

export interface MonnifyTwin extends Twin {
  readonly books: MonnifyBooks;
  /** Seconds that new tokens live. */
  tokenLife: number;
  /** No token that was given so far is good any more. */
  endTokens(): void;
  sendHook(url: string, eventType: string, eventData: unknown, secretKey?: string): Promise<number>;
}

const logIn = "POST /api/v1/auth/login";

export async function startMonnifyTwin(port = 0, float = 100_000_000_00, account = monnifyKeys): Promise<MonnifyTwin> {
  const books = createMonnifyBooks(float);
  const tokens = new Set<string>();
  const state = { tokenLife: 3_599 };
  let given = 0;
  const twin = await startTwin({
    port,
    routes: [
      {
        [logIn]: ({ headers }) => {
          const keys = Buffer.from(`${account.apiKey}:${account.secretKey}`).toString("base64");
          if (headers.authorization !== `Basic ${keys}`) return refused(401, "99", "Invalid credentials");
          given += 1;
          const accessToken = `token-${given}`;
          tokens.add(accessToken);
          return granted({ accessToken, expiresIn: state.tokenLife });
        },
        ...disbursementRoutes(books),
      },
    ],
    refuse: ({ method, path, headers }) => {
      if (`${method} ${path}` === logIn) return undefined;
      const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
      return tokens.has(token) ? undefined : { status: 401, body: { error: "invalid_token" } };
    },
    nothingHere: { status: 404, body: { status: 404, error: "Not Found" } },
  });
  return Object.assign(state, twin, {
    books,
    endTokens: () => tokens.clear(),
    sendHook: (url: string, eventType: string, eventData: unknown, secretKey = monnifyKeys.secretKey) => {
      const raw = JSON.stringify({ eventType, eventData });
      return postHook(url, raw, { "monnify-signature": createHmac("sha512", secretKey).update(raw).digest("hex") });
    },
  });
}

function granted(responseBody: unknown): TwinReply {
  return {
    status: 200,
    body: { requestSuccessful: true, responseMessage: "success", responseCode: "0", responseBody },
  };
}

function refused(status: number, responseCode: string, responseMessage: string): TwinReply {
  return { status, body: { requestSuccessful: false, responseMessage, responseCode } };
}

function disbursementRoutes(books: MonnifyBooks): TwinRoutes {
  const banks = () => listBanks("LIVE").filter(({ code }) => !books.missingBanks.has(code));
  return {
    "GET /api/v1/banks": () => granted(banks().map(({ name, code }) => ({ name, code, ussdTemplate: null }))),
    "GET /api/v1/disbursements/account/validate": ({ query }) => {
      const accountNumber = query.get("accountNumber") ?? "";
      const bankCode = query.get("bankCode") ?? "";
      if (!banks().some(({ code }) => code === bankCode)) return refused(400, "99", "Invalid bank code");
      if (accountNumber === "0000000000") return refused(400, "99", "Invalid account number provided");
      return granted({ accountNumber, accountName: `ADAEZE OKAFOR ${accountNumber.slice(-4)}`, bankCode });
    },
    "POST /api/v2/disbursements/single": (request) => disburse(books, request),
    "GET /api/v2/disbursements/single/summary": ({ query }) => {
      const found = books.disbursements.get(query.get("reference") ?? "");
      return found === undefined ? refused(404, "99", "Transfer not found") : granted(wholeDisbursement(found));
    },
    "GET /api/v2/disbursements/wallet-balance": ({ query }) => {
      if (query.get("accountNumber") !== monnifyKeys.sourceAccountNumber) return refused(404, "99", "Wallet not found");
      // A text on Monnify's page, a number in its sandbox.
      const availableBalance = nairaText(books.balance());
      return granted({ availableBalance, ledgerBalance: naira(books.balance()) });
    },
    "GET /api/v2/disbursements/search-transactions": ({ query }) => {
      const [from, to] = [Number(query.get("startDate")), Number(query.get("endDate"))];
      const size = Number(query.get("pageSize"));
      const page = Number(query.get("pageNo"));
      const isIn = ({ createdAt }: { createdAt: Date }) => createdAt.getTime() >= from && createdAt.getTime() <= to;
      const found = books.listed
        .show([...books.disbursements.values()])
        .filter(isIn)
        .reverse();
      const content = found.slice(page * size, page * size + size).map(wholeDisbursement);
      return granted({
        content,
        totalPages: Math.ceil(found.length / size),
        number: page,
        totalElements: found.length,
      });
    },
  };
}

function nairaText(kobo: number): string {
  const digits = String(kobo).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function disburse(books: MonnifyBooks, { body }: TwinRequest): TwinReply {
  const { reference, narration, destinationBankCode: bankCode, destinationAccountNumber: accountNumber } = body;
  const amount = typeof body.amount === "number" ? Number(nairaOf(String(body.amount)) ?? 0n) : 0;
  if (body.sourceAccountNumber !== monnifyKeys.sourceAccountNumber)
    return refused(404, "99", "Source wallet not found");
  if (amount < 20_00) return refused(400, "99", "amount must be at least 20");
  if (typeof narration !== "string" || narration.length < 3) return refused(400, "99", "narration is too short");
  if (typeof reference !== "string" || typeof accountNumber !== "string" || typeof bankCode !== "string") {
    return refused(400, "99", "A required field is missing");
  }
  if (body.currency !== "NGN") return refused(400, "99", "Unsupported currency");
  if (accountNumber === "0000000000") return refused(400, "99", "Invalid destination account");
  if (books.disbursements.has(reference)) return refused(400, "99", "Duplicate transaction reference");
  if (books.refusesSameAmount && books.hasSameAmount(accountNumber, amount)) {
    return refused(400, "D07", "A similar transaction was made within the last 2 minutes");
  }
  if (books.balance() < amount + feeOf(amount)) return refused(400, "99", "Insufficient balance");
  return granted(plainDisbursement(books.take({ reference, amount, accountNumber, bankCode, narration })));
}
