/** What the hosted checkout page calls. Every answer is the whole view: the page remembers nothing of its own. */
import type { Database, Tx } from "../../platform/database/database.ts";
import { describeRoute, type Reply, type Route, type RouteRequest } from "../../platform/http/route.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { BankRails, CardRails, MessageRails } from "../../rails/desk.ts";
import { createCardLink } from "../cards/create-card-link.ts";
import { requestConsent } from "../consent/request-consent.ts";
import { answerCode, giveConsent } from "../consent/verify-consent.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { Lending } from "../loans/lender.ts";
import type { LendingDependencies, LoanFollowing } from "../loans/loan-moved.ts";
import { type AccountDependencies, type MerchantAccount, resolveMerchantAccount } from "../loans/merchant-account.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { changeTenor, requestLoan } from "../loans/request-loan.ts";
import { inPageWords } from "../pages/page-words.ts";
import { linkAddress, otpBody } from "../pages/schemas.ts";
import { cancelSession } from "./cancel-session.ts";
import { readCheckoutView } from "./checkout-view.ts";
import { agreeBody, type CheckoutView, checkoutView, termsBody } from "./hosted-schemas.ts";
import { withoutReasons } from "./judge-order.ts";
import { requireChosenLoan, requireOpenSession } from "./read-session.ts";
import { insertCardLink } from "./session-store.ts";

export interface HostedDependencies extends LoanFollowing, Lending, Pick<AccountDependencies, "nubanCheck"> {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: BankRails & CardRails & MessageRails;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
}

type Asked<Body = unknown> = RouteRequest<"page", unknown, unknown, Body>;

const page = "checkout" as const;
const over = ["session_expired", "invalid_state"] as const;

const reply = (message: string) => ({ status: 200, message, data: checkoutView }) as const;

export function hostedRoutes(deps: HostedDependencies): Route[] {
  return [
    readRoute(deps),
    termsRoute(deps),
    requestRoute(deps),
    verifyRoute(deps),
    cardLinkRoute(deps),
    cancelRoute(deps),
  ];
}

function readRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "GET",
    path: "/hosted/checkout",
    page,
    readFromAnySite: true,
    summary: "Read the checkout",
    description: "Also after its end: the page then shows how it ended.",
    reply: reply("Checkout retrieved."),
    handle: ({ page: { pageId }, read }) => read(async (tx) => ({ data: await readCheckoutView(tx, deps, pageId) })),
  });
}

function termsRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/checkout/terms",
    page,
    summary: "Choose the months",
    description: "Makes the loan, or changes its tenor as long as nobody has consented.",
    body: termsBody,
    reply: reply("Terms chosen."),
    problems: [
      ...over,
      "not_eligible",
      "tenor_not_supported",
      "account_number_invalid",
      "account_not_found",
      "bank_unavailable",
      "rail_not_configured",
    ],
    handle: (request) =>
      inPageWords(async () => {
        const kept = await request.kept<CheckoutView>();
        if (kept !== undefined) return kept;
        const account = await askForAccount(deps, request);
        const { tenor } = request.body;
        const choose = (tx: Tx, sessionId: string) => chooseTerms(tx, deps, { sessionId, tenor, account });
        return withoutReasons(() => acting(deps, request, choose));
      }),
  });
}

/** A bank is asked while no transaction is open; null when there is a loan, for which it was asked before. */
async function askForAccount(
  deps: HostedDependencies,
  { page: { environmentId, environmentKind: kind, pageId }, read }: Pick<Asked, "page" | "read">,
): Promise<MerchantAccount | null> {
  const session = await read((tx) => requireOpenSession(tx, pageId));
  return session.loanId === null ? resolveMerchantAccount(deps, { environmentId, kind }, session) : null;
}

function requestRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/checkout/consent/request",
    page,
    summary: "Send a code",
    description:
      "Sends a code to the customer's phone, which stands for the terms as they are shown now. The customer has ticked that they are agreed to; termsHash says which text that was.",
    body: agreeBody,
    reply: reply("Code sent."),
    problems: [
      ...over,
      "consent_given",
      "consent_terms_changed",
      "otp_resend_too_early",
      "otp_limit_reached",
      "rail_not_configured",
    ],
    handle: (request) =>
      inPageWords(() =>
        acting(deps, request, async (tx, sessionId) => {
          const { loanId } = await requireChosenLoan(tx, sessionId);
          await requestConsent(tx, deps, { loanId, ticked: request.body.termsHash });
        }),
      ),
  });
}

function verifyRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/checkout/consent/verify",
    page,
    summary: "Enter the code",
    description: "The customer consents to the terms. A try is counted before it is looked at.",
    body: otpBody,
    reply: reply("Consent given."),
    problems: [
      ...over,
      "consent_given",
      "consent_terms_changed",
      "otp_invalid",
      "otp_expired",
      "otp_attempts_exceeded",
      "otp_not_requested",
    ],
    handle: (request) =>
      inPageWords(async () => {
        const kept = await request.kept<CheckoutView>();
        if (kept !== undefined) return kept;
        const { environmentId, pageId } = request.page;
        const { loanId } = await request.read((tx) => requireChosenLoan(tx, pageId));
        const answered = await answerCode(deps, { environmentId, loanId, otp: request.body.otp });
        return acting(deps, request, (tx) => giveConsent(tx, deps, answered));
      }),
  });
}

function cardLinkRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/checkout/card-link",
    page,
    summary: "Go to the card page",
    description: "Makes a link for a card; its page leads back to this checkout.",
    reply: { status: 200, message: "Card page opened.", data: linkAddress },
    problems: [...over, "card_link_limit_reached", "rail_not_configured"],
    handle: (request) =>
      inPageWords(() =>
        request.write(async (tx) => {
          const { session, loanId } = await requireChosenLoan(tx, request.page.pageId);
          await refuseBeforeConsent(tx, loanId);
          const link = await createCardLink(tx, deps, { customerId: session.customerId, callbackUrl: null });
          await insertCardLink(tx, link.id, session.id);
          return { data: { url: link.url } };
        }),
      ),
  });
}

/** A visitor who has not answered the code puts no card to the customer's name. */
async function refuseBeforeConsent(tx: Tx, loanId: string): Promise<void> {
  const { consentStatus, status } = await requireCheckoutLoan(tx, loanId);
  if (consentStatus === "consented") return;
  throw commonProblem("invalid_state", { message: "Enter the code first.", data: { status } });
}

function cancelRoute(deps: HostedDependencies): Route {
  return describeRoute("page", {
    method: "POST",
    path: "/hosted/checkout/cancel",
    page,
    summary: "Cancel the checkout",
    description: "Ends it without buying anything, as long as no money is on its way.",
    reply: reply("Checkout cancelled."),
    problems: [...over, "checkout_loan_being_disbursed"],
    handle: (request) =>
      inPageWords(() => acting(deps, request, (tx, sessionId) => cancelSession(tx, deps, sessionId))),
  });
}

/** Does something in one transaction and returns what the page shows then. */
function acting(deps: HostedDependencies, request: Asked, work: (tx: Tx, sessionId: string) => Promise<unknown>) {
  const { pageId } = request.page;
  return request.write(async (tx): Promise<Reply<CheckoutView>> => {
    await work(tx, pageId);
    return { data: await readCheckoutView(tx, deps, pageId) };
  });
}

interface ChosenTerms {
  readonly sessionId: string;
  /** Months. */
  readonly tenor: number;
  /** The holder of the merchant's account; null when the loan exists and the bank was not asked. */
  readonly account: MerchantAccount | null;
}

/** Makes the session's loan, or gives it another tenor as long as nobody has consented to it. */
async function chooseTerms(
  tx: Tx,
  deps: LendingDependencies,
  { sessionId, tenor, account }: ChosenTerms,
): Promise<void> {
  const { customerId } = await requireOpenSession(tx, sessionId);
  // Locks: the customer, so that of two choices at once the later one finds the earlier one's loan.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const { amount, loanId } = await requireOpenSession(tx, sessionId);
  if (loanId !== null) {
    const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
    await changeTenor(tx, deps.sealer, { customer, loan }, tenor);
    return;
  }
  if (account === null) throw new Error(`session ${sessionId} has lost its loan`);
  await requestLoan(tx, deps, { customer, amount, tenor, account, sessionId });
}
