/** Cards at Paystack's twin: transactions, authorisations and refunds. What a holder does on a page is played by a test. */
import { granted, type PaystackAccount, type PaystackPart, refused } from "./paystack-twin-account.ts";
import type { TwinRoutes } from "./twin.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

export type TransactionWord = "success" | "failed" | "abandoned" | "reversed" | "pending" | "ongoing";
export type RefundWord = "pending" | "processing" | "processed" | "failed" | "needs-attention";

export interface TwinAuthorization {
  readonly code: string;
  readonly email: string;
  readonly channel: string;
  readonly cardType: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly bank: string | null;
  readonly reusable: boolean;
  readonly signature: string;
  active: boolean;
}

export interface TwinTransaction {
  readonly id: number;
  readonly reference: string;
  readonly email: string;
  readonly requestedAmount: number;
  /** With the fee that was passed on, if one was. */
  amount: number;
  status: TransactionWord;
  authorization: TwinAuthorization | null;
  gatewayResponse: string;
  createdAt: Date;
  /** How often money was taken. */
  takings: number;
}

export interface TwinRefund {
  readonly id: number;
  readonly transactionId: number;
  readonly amount: number;
  readonly note: string | null;
  status: RefundWord;
}

/** What the next charges of an authorisation come to. */
export type ChargeFate = "success" | "failed" | "paused" | "pending";

export interface PaystackCardBooks {
  readonly transactions: Map<string, TwinTransaction>;
  readonly authorizations: Map<string, TwinAuthorization>;
  readonly refunds: TwinRefund[];
  fate: ChargeFate;
  /** What a new refund begins as. */
  refundWord: RefundWord;
  /** 400 or 404, both were reported. */
  unknownStatus: 400 | 404;
  /** Added to what the holder pays. */
  passedOnFee: number;
  /** The holder pays on the page. Returns the authorisation. */
  payOnPage(reference: string, card?: Partial<TwinAuthorization>): TwinAuthorization;
  /** A transaction that was open ends, or one that paid is charged back. */
  settle(reference: string, status: TransactionWord): void;
  /** What stays with the account of a transaction. */
  kept(reference: string): number;
}

export function createCardBooks(): PaystackCardBooks {
  const transactions = new Map<string, TwinTransaction>();
  const authorizations = new Map<string, TwinAuthorization>();
  const refunds: TwinRefund[] = [];
  const find = (reference: string): TwinTransaction => {
    const found = transactions.get(reference);
    if (found === undefined) throw new Error(`no transaction ${reference}`);
    return found;
  };
  return {
    transactions,
    authorizations,
    refunds,
    fate: "success",
    refundWord: "pending",
    unknownStatus: 400,
    passedOnFee: 0,
    payOnPage(reference, card = {}) {
      const transaction = find(reference);
      const code = `AUTH_${transaction.id.toString(36)}`;
      const authorization = { ...goodCard, code, email: transaction.email, active: true, ...card };
      authorizations.set(code, authorization);
      Object.assign(transaction, { authorization, status: "success", gatewayResponse: "Successful" });
      transaction.amount = transaction.requestedAmount + this.passedOnFee;
      transaction.takings += 1;
      return authorization;
    },
    settle(reference, status) {
      const transaction = find(reference);
      if (status === "success") transaction.takings += 1;
      transaction.status = status;
    },
    kept(reference) {
      const { id, amount, takings, status } = find(reference);
      const back = refunds.filter((refund) => refund.transactionId === id && refund.status !== "failed");
      const taken = status === "reversed" && back.length === 0 ? 0 : amount * takings;
      return taken - back.reduce((sum, refund) => sum + refund.amount, 0);
    },
  };
}

const goodCard = {
  channel: "card",
  // Paystack writes a blank after it.
  cardType: "visa ",
  brand: "visa",
  last4: "4081",
  expMonth: "12",
  expYear: "2030",
  bank: "TEST BANK",
  reusable: true,
  signature: "SIG_yEXu7dLBeqG0kU7g95Ke",
} as const;

export function paystackCards(books: PaystackCardBooks): PaystackPart {
  return (account): TwinRoutes => ({
    "POST /transaction/initialize": (request) => initialize(account, books, request),
    "GET /transaction/verify/:reference": ({ params }) => {
      const found = books.transactions.get(params.reference ?? "");
      if (found === undefined) return refused(books.unknownStatus, "Transaction reference not found.");
      return granted("Verification successful", shown(account, found));
    },
    "POST /transaction/charge_authorization": (request) => charge(account, books, request),
    "POST /refund": (request) => refund(account, books, request),
    "GET /refund": ({ query }) => {
      const rows = books.refunds.filter(({ transactionId }) => String(transactionId) === query.get("transaction"));
      const [perPage, page] = [Number(query.get("perPage") ?? 50), Number(query.get("page") ?? 1)];
      const data = rows.slice((page - 1) * perPage, page * perPage).map((row) => shownRefund(account, row));
      return granted("Refunds retrieved", data, { total: rows.length, page, perPage });
    },
    "POST /customer/authorization/deactivate": ({ body }) => {
      const found = books.authorizations.get(String(body.authorization_code));
      if (found === undefined || !found.active) return refused(404, "Authorization code not found.");
      found.active = false;
      return granted("Authorization has been deactivated", undefined);
    },
  });
}

const references = /^[A-Za-z0-9.=-]{1,100}$/;

/** What both ways of ordering money refuse. */
function refuseOrder(books: PaystackCardBooks, { body }: TwinRequest): TwinReply | undefined {
  const { email, amount, reference, currency } = body;
  if (typeof email !== "string" || !/^\S+@\S+\.\S+$/.test(email)) {
    return refused(400, "Invalid Email Address Passed", "invalid_email_address");
  }
  if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount < 5_000 || currency !== "NGN") {
    return refused(400, "Invalid amount passed", "invalid_params");
  }
  if (typeof reference !== "string" || !references.test(reference)) {
    return refused(400, "Invalid transaction reference", "invalid_params");
  }
  return books.transactions.has(reference)
    ? refused(400, "Duplicate Transaction Reference", "duplicate_reference")
    : undefined;
}

function take(account: PaystackAccount, books: PaystackCardBooks, { body }: TwinRequest): TwinTransaction {
  const amount = Number(body.amount);
  const transaction: TwinTransaction = {
    id: account.nextId(),
    reference: String(body.reference),
    email: String(body.email),
    requestedAmount: amount,
    amount: amount + books.passedOnFee,
    status: "abandoned",
    authorization: null,
    gatewayResponse: "The transaction was not completed",
    createdAt: new Date(),
    takings: 0,
  };
  books.transactions.set(transaction.reference, transaction);
  return transaction;
}

function initialize(account: PaystackAccount, books: PaystackCardBooks, request: TwinRequest): TwinReply {
  const refusal = refuseOrder(books, request);
  if (refusal !== undefined) return refusal;
  if (JSON.stringify(request.body.channels) !== '["card"]')
    return refused(400, "Channels are invalid", "invalid_params");
  const { id, reference } = take(account, books, request);
  const access = id.toString(36);
  const page = { authorization_url: `https://checkout.paystack.com/${access}`, access_code: access, reference };
  return granted("Authorization URL created", page);
}

function charge(account: PaystackAccount, books: PaystackCardBooks, request: TwinRequest): TwinReply {
  const refusal = refuseOrder(books, request);
  if (refusal !== undefined) return refusal;
  const authorization = books.authorizations.get(String(request.body.authorization_code));
  if (authorization === undefined || !authorization.active) {
    return refused(400, "Authorization code is invalid", "invalid_authorization");
  }
  if (authorization.email !== request.body.email) {
    return refused(400, "Email does not match Authorization code. Please confirm.", "invalid_params");
  }
  const transaction = take(account, books, request);
  transaction.authorization = authorization;
  if (books.fate === "paused") {
    const access = transaction.id.toString(36);
    const url = `https://checkout.paystack.com/${access}`;
    const data = { paused: true, reference: transaction.reference, authorization_url: url, access_code: access };
    return granted("Please, redirect your customer to the authorization url provided", data);
  }
  transaction.status = books.fate;
  if (books.fate === "success") Object.assign(transaction, { takings: 1, gatewayResponse: "Approved" });
  if (books.fate === "failed") transaction.gatewayResponse = "Insufficient Funds";
  return granted("Charge attempted", shown(account, transaction));
}

function refund(account: PaystackAccount, books: PaystackCardBooks, { body }: TwinRequest): TwinReply {
  const wanted = String(body.transaction);
  const transaction = [...books.transactions.values()].find(
    ({ id, reference }) => String(id) === wanted || reference === wanted,
  );
  if (transaction === undefined || transaction.takings === 0) return refused(404, "Transaction not found");
  const left = books.kept(transaction.reference);
  if (left <= 0) return refused(400, "Transaction has been fully reversed", "transaction_reversed", "api_error");
  const amount = body.amount === undefined ? left : Number(body.amount);
  if (amount > left) return refused(400, "Refund amount cannot be more than transaction amount", "invalid_params");
  if (account.balance() < amount) return refused(400, "Insufficient balance to fulfill this refund");
  const note = typeof body.merchant_note === "string" ? body.merchant_note : null;
  const row: TwinRefund = {
    id: account.nextId(),
    transactionId: transaction.id,
    amount,
    note,
    status: books.refundWord,
  };
  books.refunds.push(row);
  account.move(-amount, "Refund", row.id);
  if (books.kept(transaction.reference) === 0) transaction.status = "reversed";
  return granted("Refund has been queued for processing", shownRefund(account, row));
}

function shown({ domain }: PaystackAccount, transaction: TwinTransaction) {
  const { id, reference, status, amount, requestedAmount, email, authorization, gatewayResponse } = transaction;
  return {
    id,
    domain,
    status,
    reference,
    amount,
    requested_amount: requestedAmount,
    currency: "NGN",
    gateway_response: gatewayResponse,
    channel: authorization?.channel ?? "card",
    fees: status === "success" ? Math.ceil(amount * 0.015) : null,
    created_at: transaction.createdAt.toISOString(),
    customer: { id: 84_312, email, customer_code: "CUS_xnxdt6s1zg1f4nx" },
    authorization: authorization === null ? {} : shownAuthorization(authorization),
  };
}

function shownAuthorization(card: TwinAuthorization) {
  const { code, last4, expMonth, expYear, channel, cardType, brand, bank, reusable, signature } = card;
  return {
    authorization_code: code,
    bin: "408408",
    last4,
    exp_month: expMonth,
    exp_year: expYear,
    channel,
    card_type: cardType,
    bank,
    country_code: "NG",
    brand,
    reusable,
    signature,
  };
}

function shownRefund({ domain }: PaystackAccount, { id, transactionId, amount, note, status }: TwinRefund) {
  return { id, domain, transaction: transactionId, amount, currency: "NGN", merchant_note: note, status };
}
