/**
 * What a customer does on the hosted checkout, for a page of your own. The address of a session opens it: a visitor
 * who has it acts as the customer, and it opens nothing else. It needs no secret key, so it may run in a browser.
 */
import type { CheckoutLoan } from "./api.gen.ts";
import { createCaller } from "./calling/caller.ts";
import { type CallOptions, type ClientOptions, settingsOf } from "./calling/settings.ts";
import { type WaitOptions, waitUntil } from "./calling/wait-until.ts";
import { JaraInputError } from "./errors.ts";

export interface HostedPlan {
  /** Months. */
  tenor: number;
  /** Percent a month, flat. */
  interestRate: number;
  /** Percent a year, effective, with every fee. */
  annualRate: number;
  installmentAmount: number;
  totalInterest: number;
  totalFees: number;
  totalRepayment: number;
  schedule: { number: number; dueDate: string; amountDue: number; principal: number; interest: number; fees: number }[];
}

/** All that the page shows. `step` says what the customer does next. */
export interface HostedCheckoutView {
  id: string;
  status: "open" | "completed" | "expired" | "cancelled";
  step: "offer" | "consent" | "card" | "processing" | "completed" | "expired" | "cancelled" | "not_eligible";
  environment: "SANDBOX" | "LIVE";
  merchantName: string;
  merchantLogo: string | null;
  orderReference: string;
  amount: number;
  items: { name: string; quantity: number; amount: number }[];
  currency: "NGN";
  /** Null until the code was right: a link can be anybody's. */
  customer: { firstName: string; phone: string } | null;
  eligibility: {
    eligible: boolean;
    reasons: { code: string; message: string }[];
    minAmount: number;
    maxAmount: number;
  };
  offers: HostedPlan[];
  loan: (HostedPlan & Pick<CheckoutLoan, "id" | "status">) | null;
  /** To be shown before the customer agrees. */
  disclosure: {
    lender: { name: string; registration: string; isSample: boolean };
    lateFee: string;
    conditions: string[];
    complaints: string;
  };
  /** What the customer ticks; give its `termsHash` to `requestConsent`. */
  agreement: { version: string; statement: string; termsHash: string } | null;
  consent: { sentAt: string; expiresAt: string; resendAt: string; attemptsRemaining: number } | null;
  card: { brand: "visa" | "mastercard" | "verve"; last4: string; expMonth: number; expYear: number } | null;
  returnUrl: string;
  expiresAt: string;
  now: string;
}

export type HostedOptions = Omit<ClientOptions, "baseUrl">;

/** `sessionUrl` is the `url` of a checkout session. */
export function hostedCheckout(sessionUrl: string, options: HostedOptions = {}) {
  const { baseUrl, token } = placeOf(sessionUrl);
  const { send } = createCaller(settingsOf({ ...options, baseUrl }), () => token);
  const act = async <Data = HostedCheckoutView>(name: string, body?: object, how?: CallOptions): Promise<Data> =>
    (await send(name, { body }, how)).body["data"] as Data;
  const read = (how?: CallOptions): Promise<HostedCheckoutView> => act("GET /hosted/checkout", undefined, how);
  return {
    read,
    /** Chooses the months, as long as nobody has consented. */
    chooseTerms: (tenor: number, how?: CallOptions): Promise<HostedCheckoutView> =>
      act("POST /hosted/checkout/terms", { tenor }, how),
    /** The customer has ticked the agreement: sends a code to the phone. */
    requestConsent: (termsHash: string, how?: CallOptions): Promise<HostedCheckoutView> =>
      act("POST /hosted/checkout/consent/request", { agreed: true, termsHash }, how),
    verifyConsent: (otp: string, how?: CallOptions): Promise<HostedCheckoutView> =>
      act("POST /hosted/checkout/consent/verify", { otp }, how),
    /** Where the customer types in a card; that page leads back. */
    linkCard: (how?: CallOptions): Promise<{ url: string }> => act("POST /hosted/checkout/card-link", undefined, how),
    cancel: (how?: CallOptions): Promise<HostedCheckoutView> => act("POST /hosted/checkout/cancel", undefined, how),
    /** Waits until the session has ended. What the browser sees proves nothing: your server reads the session. */
    waitUntilFinal: (how: WaitOptions = {}): Promise<HostedCheckoutView> =>
      waitUntil(
        (timeoutMs) => read({ signal: how.signal, timeoutMs }),
        ({ status }) => status !== "open",
        how,
      ),
  };
}

export type HostedCheckout = ReturnType<typeof hostedCheckout>;

/** The same page, asked at another address of the same server: the one that a program reaches. */
export function pageAt(baseUrl: string, sessionUrl: string, options: HostedOptions): HostedCheckout {
  const tail = /\/checkout\/[^/#?]+#[\x21-\x7e]+$/.exec(sessionUrl)?.[0] ?? "";
  return hostedCheckout(`${baseUrl}${tail}`, options);
}

/** `https://api.example.com/checkout/{id}#{token}`; the token never goes to a server as part of an address. */
function placeOf(sessionUrl: string): { readonly baseUrl: string; readonly token: string } {
  const [, baseUrl, token] = /^(https?:\/\/.+)\/checkout\/[^/#?]+#([\x21-\x7e]+)$/.exec(sessionUrl) ?? [];
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token };
  throw new JaraInputError(
    "This is not the address of a checkout session. Give the session's url whole, with what follows #.",
  );
}
