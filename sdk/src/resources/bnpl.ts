import type {
  Card,
  CardLink,
  CheckoutCreditRefund,
  CheckoutLoan,
  CheckoutLoanPage,
  CheckoutProfile,
  CheckoutProfileChange,
  CheckoutRefund,
  CheckoutRepayment,
  CheckoutSession,
  Consent,
  ConsentRequest,
  Customer,
  DeleteCardData,
  Eligibility,
  GetCheckoutLoanPageBody,
  LinkCardBody,
  ListCheckoutLoanRepaymentsQuery,
  ListCheckoutSessionsQuery,
  ListCustomersQuery,
  NewCheckoutLoan,
  NewCheckoutRefund,
  NewCheckoutSession,
  NewCreditRefund,
  NewCustomer,
  NewRepayment,
  SentContactChangeCode,
  VerifiedConsent,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { type WaitOptions, waitUntil } from "../calling/wait-until.ts";

type Calls = Pick<Caller, "call" | "list">;

/** Buy now, pay later: with pages of Jara's (`sessions`), or step by step with pages of yours. */
export function bnpl(calls: Calls) {
  return {
    customers: customers(calls),
    loans: checkoutLoans(calls),
    sessions: sessions(calls),
    /** What customers see of you on hosted pages. */
    profile: {
      get: (options?: CallOptions): Promise<CheckoutProfile> => calls.call("GET /loans/bnpl/profile", {}, options),
      update: (change: CheckoutProfileChange, options?: CallOptions): Promise<CheckoutProfile> =>
        calls.call("PATCH /loans/bnpl/profile", { body: change }, options),
    },
  };
}

function customers({ call, list }: Calls) {
  return {
    /** The same BVN again is the same customer. */
    create: (customer: NewCustomer, options?: CallOptions): Promise<Customer> =>
      call("POST /loans/bnpl/customers", { body: customer }, options),
    get: (customerId: string, options?: CallOptions): Promise<Customer> =>
      call("GET /loans/bnpl/customers/{customerId}", { path: { customerId } }, options),
    list: (query: ListCustomersQuery = {}, options?: CallOptions): List<Customer> =>
      list("GET /loans/bnpl/customers", { query }, options),
    /** Whether the customer may borrow, how much and for how long. */
    getEligibility: (customerId: string, options?: CallOptions): Promise<Eligibility> =>
      call("GET /loans/bnpl/customers/{customerId}/eligibility", { path: { customerId } }, options),
    contactChanges: {
      /** The code that was sent to the phone on record makes the change. */
      verify: (customerId: string, changeId: string, otp: string, options?: CallOptions): Promise<Customer> =>
        call(
          "POST /loans/bnpl/customers/{customerId}/contact-changes/{changeId}/verify",
          { path: { customerId, changeId }, body: { otp } },
          options,
        ),
      resendCode: (customerId: string, changeId: string, options?: CallOptions): Promise<SentContactChangeCode> =>
        call(
          "POST /loans/bnpl/customers/{customerId}/contact-changes/{changeId}/resend",
          { path: { customerId, changeId } },
          options,
        ),
    },
    cards: {
      /** Send the customer to `url`; `customer.card.link.successful` tells when the card is linked. */
      link: (customerId: string, link: LinkCardBody = {}, options?: CallOptions): Promise<CardLink> =>
        call("POST /loans/bnpl/customers/{customerId}/cards/link", { path: { customerId }, body: link }, options),
      list: (customerId: string, options?: CallOptions): Promise<Card[]> =>
        call("GET /loans/bnpl/customers/{customerId}/cards", { path: { customerId } }, options),
      delete: (customerId: string, cardId: string, options?: CallOptions): Promise<DeleteCardData> =>
        call("DELETE /loans/bnpl/customers/{customerId}/cards/{cardId}", { path: { customerId, cardId } }, options),
    },
  };
}

function checkoutLoans({ call, list }: Calls) {
  return {
    /** Keep your own `idempotencyKey`: the loan has no reference of yours. */
    create: (customerId: string, loan: NewCheckoutLoan, options?: CallOptions): Promise<CheckoutLoan> =>
      call("POST /loans/bnpl/customers/{customerId}/loans", { path: { customerId }, body: loan }, options),
    get: (loanId: string, options?: CallOptions): Promise<CheckoutLoan> =>
      call("GET /loans/bnpl/loans/{loanId}", { path: { loanId } }, options),
    /** The customer's loans that are out. */
    listActive: (customerId: string, options?: CallOptions): Promise<CheckoutLoan[]> =>
      call("GET /loans/bnpl/customers/{customerId}/loans/active", { path: { customerId } }, options),
    cancel: (loanId: string, options?: CallOptions): Promise<CheckoutLoan> =>
      call("POST /loans/bnpl/loans/{loanId}/cancel", { path: { loanId } }, options),
    /** Takes the order, or part of it, back: the customer's plan shrinks. */
    refund: (loanId: string, refund: NewCheckoutRefund, options?: CallOptions): Promise<CheckoutRefund> =>
      call("POST /loans/bnpl/loans/{loanId}/refund", { path: { loanId }, body: refund }, options),
    refundCredit: (loanId: string, refund: NewCreditRefund, options?: CallOptions): Promise<CheckoutCreditRefund> =>
      call("POST /loans/bnpl/loans/{loanId}/credit/refund", { path: { loanId }, body: refund }, options),
    /** The address of the customer's own page for a plan that is out. */
    getPage: (loanId: string, page: GetCheckoutLoanPageBody = {}, options?: CallOptions): Promise<CheckoutLoanPage> =>
      call("POST /loans/bnpl/loans/{loanId}/page", { path: { loanId }, body: page }, options),
    consent: {
      /** Sends a code to the customer's phone. */
      request: (loanId: string, options?: CallOptions): Promise<ConsentRequest> =>
        call("POST /loans/bnpl/loans/{loanId}/consent/request", { path: { loanId } }, options),
      verify: (loanId: string, otp: string, options?: CallOptions): Promise<VerifiedConsent> =>
        call("POST /loans/bnpl/loans/{loanId}/consent/verify", { path: { loanId }, body: { otp } }, options),
      get: (loanId: string, options?: CallOptions): Promise<Consent> =>
        call("GET /loans/bnpl/loans/{loanId}/consent", { path: { loanId } }, options),
    },
    repayments: {
      create: (loanId: string, repayment: NewRepayment, options?: CallOptions): Promise<CheckoutRepayment> =>
        call("POST /loans/bnpl/loans/{loanId}/repayments", { path: { loanId }, body: repayment }, options),
      list: (
        loanId: string,
        query: ListCheckoutLoanRepaymentsQuery = {},
        options?: CallOptions,
      ): List<CheckoutRepayment> =>
        list("GET /loans/bnpl/loans/{loanId}/repayments", { path: { loanId }, query }, options),
    },
  };
}

function sessions({ call, list }: Calls) {
  const get = (id: string, options?: CallOptions): Promise<CheckoutSession> =>
    call("GET /loans/bnpl/checkout-sessions/{id}", { path: { id } }, options);
  return {
    /** Send the customer to `url`. Deliver when the session is `completed`, whatever the browser says. */
    create: (session: NewCheckoutSession, options?: CallOptions): Promise<CheckoutSession> =>
      call("POST /loans/bnpl/checkout-sessions", { body: session }, options),
    get,
    /** Without `url`, which lets anybody act as the customer: `get` has it. */
    list: (query: ListCheckoutSessionsQuery = {}, options?: CallOptions): List<CheckoutSession> =>
      list("GET /loans/bnpl/checkout-sessions", { query }, options),
    cancel: (id: string, options?: CallOptions): Promise<CheckoutSession> =>
      call("POST /loans/bnpl/checkout-sessions/{id}/cancel", { path: { id } }, options),
    /** Waits for `completed`, `expired` or `cancelled`. */
    waitUntilFinal: (id: string, options: WaitOptions = {}): Promise<CheckoutSession> =>
      waitUntil(
        (timeoutMs) => get(id, { signal: options.signal, timeoutMs }),
        ({ status }) => status !== "open",
        options,
      ),
  };
}
