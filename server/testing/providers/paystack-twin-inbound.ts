/**
 * Dedicated accounts at Paystack's twin: customers, account numbers, and the money that people pay into them. What a
 * payer does is played by a test, or by a developer through the twin's own control.
 */
import { granted, type PaystackAccount, type PaystackPart, refused, signPaystack } from "./paystack-twin-account.ts";
import { paged } from "./paystack-twin-lists.ts";
import type { TwinRoutes } from "./twin.ts";
import { postHook, type TwinReply, type TwinRequest } from "./twin-wire.ts";

export interface TwinCustomer {
  readonly id: number;
  readonly code: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface TwinDedicatedAccount {
  readonly id: number;
  readonly customer: TwinCustomer;
  readonly number: string;
  assigned: boolean;
}

export interface TwinCredit {
  readonly id: number;
  readonly reference: string;
  readonly amount: number;
  readonly fees: number;
  readonly currency: string;
  readonly channel: string;
  readonly domain: string;
  /** Null in what integrators saw now and then. */
  readonly accountNumber: string | null;
  readonly customer: TwinCustomer | undefined;
  readonly senderName: string | null;
  readonly createdAt: Date;
  status: string;
  /** Whether a question finds it: a webhook may come before. */
  isKnown: boolean;
}

export interface PaystackInboundBooks {
  readonly customers: Map<string, TwinCustomer>;
  readonly accounts: TwinDedicatedAccount[];
  readonly credits: TwinCredit[];
  /** Off until Paystack's support has switched them on. */
  isEnabled: boolean;
  /** Numbers come later than the reply. */
  assignsLater: boolean;
  /** All that waited for a number gets one. */
  assign(): void;
  /** Somebody pays into an account number. */
  payIn(accountNumber: string, amount: number, particulars?: Partial<TwinCredit>): TwinCredit;
  /** A credit as a webhook or a reply shows it. */
  show(credit: TwinCredit): unknown;
  /** What came in and stayed, gross, and what was charged for it. */
  readonly taken: () => { readonly gross: number; readonly fees: number };
}

const bank = { name: "Paystack-Titan", id: 629, slug: "titan-paystack" };

export function createInboundBooks(): PaystackInboundBooks & { readonly part: PaystackPart } {
  const opened: { account?: PaystackAccount } = {};
  const accountOf = (): PaystackAccount => {
    if (opened.account === undefined) throw new Error("the twin was not started");
    return opened.account;
  };
  const books: PaystackInboundBooks = {
    customers: new Map(),
    accounts: [],
    credits: [],
    isEnabled: true,
    assignsLater: false,
    assign: () => {
      for (const account of books.accounts) account.assigned = true;
    },
    payIn: (accountNumber, amount, particulars = {}) => {
      const account = accountOf();
      const id = account.nextId();
      const credit: TwinCredit = {
        id,
        reference: `${id}d97c26jll2pohss`,
        amount,
        // One per cent, NGN 300 at the most.
        fees: Math.min(Math.ceil(amount / 100), 30_000),
        currency: "NGN",
        channel: "dedicated_nuban",
        domain: account.domain,
        accountNumber,
        customer: books.accounts.find(({ number }) => number === accountNumber)?.customer,
        senderName: "CHIDINMA OKAFOR",
        createdAt: new Date(),
        status: "success",
        isKnown: true,
        ...particulars,
      };
      books.credits.push(credit);
      if (isKept(credit, account)) account.move(credit.amount - credit.fees, "Transaction", id);
      return credit;
    },
    show: shownCredit,
    taken: () => {
      const kept = books.credits.filter((credit) => isKept(credit, accountOf()));
      return { gross: sumOf(kept, ({ amount }) => amount), fees: sumOf(kept, ({ fees }) => fees) };
    },
  };
  const part: PaystackPart = (account) => {
    opened.account = account;
    return inboundRoutes(account, books);
  };
  return Object.assign(books, { part });
}

function isKept({ status, channel, currency, domain }: TwinCredit, account: PaystackAccount): boolean {
  return status === "success" && channel === "dedicated_nuban" && currency === "NGN" && domain === account.domain;
}

function sumOf(credits: readonly TwinCredit[], of: (credit: TwinCredit) => number): number {
  return credits.reduce((sum, credit) => sum + of(credit), 0);
}

/** Not Paystack's: a developer pays into an account, in naira, and has the webhook sent where the body says. */
async function control(
  account: PaystackAccount,
  books: PaystackInboundBooks,
  { body }: TwinRequest,
): Promise<TwinReply> {
  const { accountNumber, amount, senderName, hookUrl } = body;
  if (typeof accountNumber !== "string" || typeof amount !== "number" || amount <= 0) {
    return refused(400, "Send accountNumber and amount, in naira; senderName and hookUrl if you like");
  }
  const sender = typeof senderName === "string" ? { senderName } : {};
  const credit = books.payIn(accountNumber, Math.round(amount * 100), sender);
  const raw = JSON.stringify({ event: "charge.success", data: shownCredit(credit) });
  const signature = signPaystack(account.secretKey, raw);
  const hook = typeof hookUrl === "string" ? await postHook(hookUrl, raw, { "x-paystack-signature": signature }) : null;
  return granted("Paid in", { id: credit.id, amount: credit.amount, fees: credit.fees, hook });
}

function inboundRoutes(account: PaystackAccount, books: PaystackInboundBooks): TwinRoutes {
  account.transactions.push(() =>
    books.credits
      .filter(({ isKnown }) => isKnown)
      .map((credit) => ({ createdAt: credit.createdAt, wire: shownCredit(credit) })),
  );
  const unavailable = refused(403, "Dedicated NUBAN is not available for your business");
  return {
    "POST /twin/pay-in": (request) => control(account, books, request),
    "POST /customer": (request) => createCustomer(account, books, request),
    "GET /customer/:emailOrCode": ({ params }) => {
      const wanted = params.emailOrCode ?? "";
      const found = [...books.customers.values()].find(({ email, code }) => email === wanted || code === wanted);
      return found === undefined
        ? refused(404, "Customer not found", "customer_not_found")
        : granted("Customer retrieved", shownCustomer(account, found));
    },
    "GET /dedicated_account/available_providers": () =>
      books.isEnabled
        ? granted("Dedicated account providers retrieved", [{ provider_slug: bank.slug, bank_id: bank.id }])
        : unavailable,
    "POST /dedicated_account": (request) => (books.isEnabled ? openAccount(account, books, request) : unavailable),
    "GET /dedicated_account": (request) => {
      const wanted = request.query.get("customer");
      const rows = books.accounts.filter(({ customer }) => wanted === null || String(customer.id) === wanted);
      return paged("Managed accounts successfully retrieved", request, rows.map(shownAccount));
    },
    "GET /transaction/:id": ({ params }) => {
      const found = books.credits.find(({ id, isKnown }) => isKnown && String(id) === params.id);
      return found === undefined
        ? refused(404, "Transaction ID or reference passed is invalid", "transaction_not_found")
        : granted("Transaction retrieved", shownCredit(found));
    },
  };
}

/** The same e-mail is the same customer. */
function createCustomer(account: PaystackAccount, books: PaystackInboundBooks, { body }: TwinRequest): TwinReply {
  const { email, first_name: firstName, last_name: lastName } = body;
  if (typeof email !== "string" || !/^\S+@\S+\.\S+$/.test(email)) {
    return refused(400, "Invalid Email Address Passed", "invalid_email_address");
  }
  if (typeof firstName !== "string" || typeof lastName !== "string" || /\d/.test(firstName)) {
    return refused(400, "First name must contain letters only", "invalid_params");
  }
  const id = account.nextId();
  const customer = books.customers.get(email) ?? { id, code: `CUS_${id.toString(36)}`, email, firstName, lastName };
  books.customers.set(email, customer);
  return granted("Customer created", shownCustomer(account, customer));
}

function openAccount(account: PaystackAccount, books: PaystackInboundBooks, { body }: TwinRequest): TwinReply {
  const customer = [...books.customers.values()].find(({ code }) => code === body.customer);
  if (customer === undefined) return refused(400, "Customer specified does not exist", "invalid_customer");
  if (account.domain === "test" && body.preferred_bank !== "test-bank") {
    return refused(400, "Invalid preferred bank", "invalid_params");
  }
  const id = account.nextId();
  // Nothing tells a second order from the first: Paystack has no reference for accounts.
  const row = { id, customer, number: String(id).slice(-10).padStart(10, "9"), assigned: !books.assignsLater };
  books.accounts.push(row);
  return granted(row.assigned ? "NUBAN successfully created" : "Assignment in progress", shownAccount(row));
}

function shownCustomer({ domain }: PaystackAccount, { id, code, email, firstName, lastName }: TwinCustomer) {
  return { id, domain, customer_code: code, email, first_name: firstName, last_name: lastName };
}

function shownAccount({ id, number, customer, assigned }: TwinDedicatedAccount) {
  const { firstName, lastName } = customer;
  return {
    id,
    bank,
    account_name: `JARA / ${firstName} ${lastName}`.toUpperCase(),
    account_number: assigned ? number : null,
    assigned,
    active: true,
    currency: "NGN",
    customer: { id: customer.id, customer_code: customer.code, email: customer.email },
  };
}

function shownCredit(credit: TwinCredit) {
  const { id, reference, amount, fees, currency, channel, domain, status, customer, createdAt } = credit;
  return {
    id,
    domain,
    status,
    reference,
    amount,
    requested_amount: amount,
    fees,
    currency,
    channel,
    paid_at: createdAt.toISOString(),
    created_at: createdAt.toISOString(),
    metadata: credit.accountNumber === null ? {} : { receiver_account_number: credit.accountNumber },
    // A twin that was started again has forgotten whose a number is.
    customer: customer === undefined ? null : { id: customer.id, customer_code: customer.code, email: customer.email },
    authorization: {
      channel,
      card_type: "transfer",
      brand: "Managed Account",
      reusable: false,
      sender_bank: "Guaranty Trust Bank",
      sender_bank_account_number: "XXXXXX4553",
      sender_name: credit.senderName,
      receiver_bank_account_number: credit.accountNumber,
      receiver_bank: bank.name,
    },
  };
}
