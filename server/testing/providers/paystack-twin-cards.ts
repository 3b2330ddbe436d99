/** Cards at Paystack's twin: first charges on its page, charges of authorisations, refunds. */
import { granted, type PaystackAccount, type PaystackPart, refused } from "./paystack-twin-account.ts";
import type { PaystackCardBooks, TwinAuthorization, TwinRefund, TwinTransaction } from "./paystack-twin-card-books.ts";
import { paystackCardLists } from "./paystack-twin-card-lists.ts";
import { pageOf, paystackPage } from "./paystack-twin-page.ts";
import type { TwinRoutes } from "./twin.ts";
import type { TwinReply, TwinRequest } from "./twin-wire.ts";

export function paystackCards(books: PaystackCardBooks): PaystackPart {
  return (account): TwinRoutes => ({
    ...paystackPage(books)(account),
    "POST /transaction/initialize": (request) => initialize(account, books, request),
    "GET /transaction/verify/:reference": ({ params }) => {
      const found = books.transactions.get(params.reference ?? "");
      if (found === undefined) return refused(books.unknownStatus, "Transaction reference not found.");
      return granted("Verification successful", shown(account, found));
    },
    "POST /transaction/charge_authorization": (request) => charge(account, books, request),
    "POST /refund": (request) => refund(account, books, request),
    ...paystackCardLists(account, books, {
      transaction: (row) => shown(account, row),
      refund: (row) => shownRefund(account, row),
    }),
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
    callbackUrl: typeof body.callback_url === "string" ? body.callback_url : null,
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
  const transaction = take(account, books, request);
  const { url, access } = pageOf(request, transaction);
  const page = { authorization_url: url, access_code: access, reference: transaction.reference };
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
  const fate = authorization.declines === true ? "failed" : books.fate;
  if (fate === "paused") {
    const { url, access } = pageOf(request, transaction);
    const data = { paused: true, reference: transaction.reference, authorization_url: url, access_code: access };
    return granted("Please, redirect your customer to the authorization url provided", data);
  }
  transaction.status = fate;
  if (fate === "success") Object.assign(transaction, { takings: 1, gatewayResponse: "Approved" });
  if (fate === "failed") transaction.gatewayResponse = "Insufficient Funds";
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
    createdAt: new Date(),
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
    account_name: card.accountName ?? null,
  };
}

function shownRefund({ domain }: PaystackAccount, refund: TwinRefund) {
  const { id, transactionId: transaction, amount, note, status, createdAt } = refund;
  return { id, domain, transaction, amount, currency: "NGN", merchant_note: note, status, createdAt };
}
