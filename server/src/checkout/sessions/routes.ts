/** What a merchant's server does with checkout sessions. */
import { type Static, Type } from "typebox";
import { sum } from "../../money/arithmetic.ts";
import { nairaString } from "../../money/kobo.ts";
import type { Database, EnvironmentKind, Tx } from "../../platform/database/database.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { describeRoute, type Reply, type Route, repeated } from "../../platform/http/route.ts";
import { IdParams, readNaira } from "../../platform/http/wire.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { type PageMeta, type PageRequest, pageOf } from "../../platform/records/pagination.ts";
import { parseSpan } from "../../platform/time/time-span.ts";
import { findBank } from "../../rails/bank-directory.ts";
import { bankCodeRule } from "../../transfers/payouts/payout-rules.ts";
import { askAboutPerson } from "../customers/ask-about-person.ts";
import type { IdentityDependencies } from "../customers/ask-identity.ts";
import type { Onboarding } from "../customers/onboard-customer.ts";
import { readPerson } from "../customers/read-person.ts";
import { type Lending, lenderFor } from "../loans/lender.ts";
import type { LoanFollowing } from "../loans/loan-moved.ts";
import { type AccountDependencies, resolveMerchantAccount } from "../loans/merchant-account.ts";
import { readReturnAddress } from "../pages/return-address.ts";
import { cancelSession } from "./cancel-session.ts";
import type { CheckoutSession, Order, OrderItem } from "./checkout-session.ts";
import { type Buyer, createSession } from "./create-session.ts";
import { presentSession } from "./present-session.ts";
import { type Addressing, isOverdue, readSessionRecord, requireSession } from "./read-session.ts";
import { createSessionBody, listQuery, type PresentedSession, sessionData } from "./schemas.ts";
import { findSessionByOrder, readSessions, type SessionFilter } from "./session-store.ts";

export interface SessionRouteDependencies
  extends Addressing,
    LoanFollowing,
    Lending,
    Omit<AccountDependencies, "rails"> {
  readonly db: Database;
  readonly rails: AccountDependencies["rails"] & IdentityDependencies["rails"];
}

const common = { tag: "Checkout" } as const;
const path = "/loans/bnpl/checkout-sessions";

export function sessionRoutes(deps: SessionRouteDependencies): Route[] {
  return [createRoute(deps), listRoute(), readRoute(deps), cancelRoute(deps)];
}

function createRoute(deps: SessionRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path,
    operationId: "createCheckoutSession",
    scope: "checkout:write",
    summary: "Open a hosted checkout",
    description:
      "Makes a session for one order and returns the address to send the customer to. There the customer sees the offer, chooses the months, consents with a code and links a card; the money goes to your account. `checkout.session.completed` says that the order is paid, `checkout.session.expired` that nobody finished within 24 hours. The same order_reference and content again return 200 with the session as it is now; one that expired or was cancelled frees its order_reference.",
    body: createSessionBody,
    rules: orderRules,
    reply: {
      status: 201,
      title: "Checkout session",
      message: "Checkout session opened",
      data: sessionData,
      also: { 200: "Checkout session was opened before" },
    },
    problems: [
      "checkout_customer_not_found",
      "reference_conflict",
      "unknown_bank",
      "account_number_invalid",
      "account_not_found",
      "bank_unavailable",
      "rail_not_configured",
      "lender_not_configured",
    ],
    handle: async (request) => {
      const { caller, write } = request;
      const { order, buyer } = readOrder(request.body, caller.kind);
      // A page that cannot name the lender could not be shown.
      lenderFor(deps, caller.kind);
      const kept = await request.kept<PresentedSession>();
      if (kept !== undefined) return kept;
      const identity = (await request.read((tx) => isKnown(tx, order))) ? null : await ask(deps, caller, order, buyer);
      return write(async (tx): Promise<Reply<PresentedSession>> => {
        const { session, replayed } = await createSession(tx, deps, { order, buyer, identity });
        const data = await readSessionRecord(tx, deps, session);
        return replayed ? { data, ...repeated } : { data };
      });
    },
  });
}

/** An order that has its session is answered without asking anybody. */
async function isKnown(tx: Tx, { orderReference }: Order): Promise<boolean> {
  const session = await findSessionByOrder(tx, orderReference);
  return session !== undefined && !isOverdue(session, tx.environment.clock.now());
}

/** The bank about the merchant's account, and the identity provider about a customer who comes along. */
async function ask(
  deps: SessionRouteDependencies,
  caller: Caller,
  order: Order,
  buyer: Buyer,
): Promise<Onboarding | null> {
  await resolveMerchantAccount(deps, caller, order);
  return "person" in buyer ? askAboutPerson(deps, caller, buyer.person) : null;
}

function listRoute(): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path,
    operationId: "listCheckoutSessions",
    scope: "checkout:read",
    summary: "List checkout sessions",
    description:
      "Newest first. status, customer_id, from and to (creation) narrow it down. url is null in a list, because it lets anybody act as the customer: read the one session to have it.",
    query: listQuery,
    reply: {
      status: 200,
      title: "Checkout sessions",
      message: "Checkout sessions retrieved",
      data: Type.Array(sessionData),
      paged: true,
    },
    handle: async ({ caller: { kind }, query, read }) => {
      const filter = { status: query.status ?? null, customerId: query.customer_id ?? null, ...parseSpan(query) };
      const { rows, meta } = await read((tx) => listSessions(tx, filter, pageOf(query)));
      return { data: rows.map((session) => presentSession(session, { kind, url: null })), meta };
    },
  });
}

function readRoute(deps: SessionRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "GET",
    path: `${path}/{id}`,
    operationId: "getCheckoutSession",
    scope: "checkout:read",
    summary: "Read a checkout session",
    description: "The session as it is now. Deliver an order when its session is completed, whatever the browser says.",
    params: IdParams,
    reply: { status: 200, title: "Checkout session", message: "Checkout session retrieved", data: sessionData },
    problems: ["checkout_session_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => ({ data: await readSessionRecord(tx, deps, await requireSession(tx, params.id)) })),
  });
}

function cancelRoute(deps: SessionRouteDependencies): Route {
  return describeRoute("key", {
    ...common,
    method: "POST",
    path: `${path}/{id}/cancel`,
    operationId: "cancelCheckoutSession",
    withoutProof: true,
    scope: "checkout:write",
    summary: "Cancel a checkout session",
    description:
      "Ends an open session and cancels its loan, as long as no money is on its way. The order_reference can be used again.",
    params: IdParams,
    reply: { status: 200, title: "Checkout session", message: "Checkout session cancelled", data: sessionData },
    problems: ["checkout_session_not_found", "session_expired", "invalid_state", "checkout_loan_being_disbursed"],
    handle: ({ params, write }) =>
      write(async (tx) => {
        await cancelSession(tx, deps, params.id);
        return { data: await readSessionRecord(tx, deps, await requireSession(tx, params.id)) };
      }),
  });
}

/** One page of the environment's sessions, newest first. The row after the page tells whether there is another. */
async function listSessions(
  tx: Tx,
  filter: SessionFilter,
  { page, limit }: PageRequest,
): Promise<{ rows: readonly CheckoutSession[]; meta: PageMeta }> {
  const skip = BigInt(page - 1) * BigInt(limit);
  const found = await readSessions(tx, filter, { skip, limit: limit + 1 });
  const meta = {
    current_page: page,
    next_page: found.length > limit ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    per_page: limit,
  };
  return { rows: found.slice(0, limit), meta };
}

/**
 * Reads what a merchant orders. The schema has found what has the wrong form; this finds what has the right form and
 * still cannot be: an address that no browser may be sent to.
 */
type Body = Static<typeof createSessionBody>;

/** Throws validation_failed with every bad field. */
export function readOrder(body: Body, kind: EnvironmentKind): { readonly order: Order; readonly buyer: Buyer } {
  const items = readItems(body);
  const errors = [...addressErrors(body, kind), ...itemErrors(body, items)];
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  const buyer = buyerOf(body);
  const order: Order = {
    orderReference: body.order_reference,
    amount: readNaira(body.amount),
    items,
    // Both of a bank's codes mean the same bank; one that nobody has is refused when the bank is to be asked.
    bankCode: findBank(body.bank_code, kind)?.code ?? body.bank_code,
    bankAccountNo: body.bank_account_no,
    successUrl: readAddress(body.success_url, kind),
    cancelUrl: readAddress(body.cancel_url, kind),
  };
  return { order, buyer };
}

function readItems({ items = [] }: Body): OrderItem[] {
  return items.map((line) => ({ ...line, amount: readNaira(line.amount) }));
}

function itemErrors({ amount }: Body, items: readonly OrderItem[]): FieldError[] {
  const total = sum(items.map((item) => item.amount));
  if (items.length === 0 || total === readNaira(amount)) return [];
  return [{ field: "items", message: `add up to ${nairaString(total)}, which is not the amount` }];
}

type Fields = Readonly<Record<string, unknown>>;

/** What can be said against an order whose schema has found something wrong already. */
export function orderRules(fields: Fields, kind: EnvironmentKind): FieldError[] {
  return [...addressErrors(fields, kind), ...bankCodeRule(fields, kind)];
}

function buyerOf({ customer_id: id, customer }: Body): Buyer {
  if (id !== undefined) return { id };
  if (customer === undefined) throw new Error("the schema let an order without a customer pass");
  return { person: readPerson(customer) };
}

function addressErrors(fields: Fields, kind: EnvironmentKind): FieldError[] {
  return ["success_url", "cancel_url"].flatMap((field) => {
    const text = fields[field];
    const verdict = typeof text === "string" ? readReturnAddress(text, kind) : { url: "" };
    return "refusal" in verdict ? [{ field, message: verdict.refusal }] : [];
  });
}

function readAddress(text: string, kind: EnvironmentKind): string {
  const verdict = readReturnAddress(text, kind);
  if ("refusal" in verdict) throw new Error("an address that passed its rules cannot be read");
  return verdict.url;
}
