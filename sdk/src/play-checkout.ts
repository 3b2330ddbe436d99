/** Plays a customer on the hosted checkout, in a sandbox and without a browser: for the tests of a merchant's program. */
import type { CheckoutSession } from "./api.gen.ts";
import type { Caller } from "./calling/caller.ts";
import type { CallOptions } from "./calling/settings.ts";
import { JaraInputError } from "./errors.ts";
import type { HostedCheckout, HostedCheckoutView } from "./hosted-checkout.ts";

/**
 * `paid`: the customer chooses the shortest plan, agrees and links a card; the session is `completed`.
 * `declined`: the card is declined; the session stays `open`.
 * `cancelled`: the customer goes back to the shop.
 * `abandoned`: the customer leaves, and the sandbox's clock moves to the session's end; the session is `expired`.
 */
export type CheckoutEnding = "paid" | "declined" | "cancelled" | "abandoned";

export interface CheckoutPlayer {
  readonly call: Caller["call"];
  /** The page of a session's address, at the client's own server. */
  open(sessionUrl: string): HostedCheckout;
}

/** The code that a sandbox always takes. */
const otp = "123456";
/** By then a bank has paid the merchant. */
const settleSeconds = 60;

/** Returns the session as your server reads it afterwards. */
export async function playCheckout(
  { call, open }: CheckoutPlayer,
  { id, url, expiresAt }: Pick<CheckoutSession, "id" | "url" | "expiresAt">,
  ending: CheckoutEnding,
  options?: CallOptions,
): Promise<CheckoutSession> {
  if (typeof url !== "string") {
    throw new JaraInputError("This session has no url: lists leave it out, and so does a session that has ended.");
  }
  const page = open(url);
  const view = await page.read(options);
  if (view.environment !== "SANDBOX") throw new JaraInputError("Only a sandbox's checkout can be played.");
  if (ending === "cancelled") await page.cancel(options);
  else if (ending === "abandoned") await call("POST /sandbox/clock/advance", { body: { to: expiresAt } }, options);
  else {
    await linkCard({ call, page, view, outcome: ending === "paid" ? "linked" : "declined" }, options);
    if (ending === "paid") {
      await call("POST /sandbox/clock/advance", { body: { seconds: settleSeconds } }, options);
      await page.waitUntilFinal({ signal: options?.signal });
    }
  }
  return call("GET /loans/bnpl/checkout-sessions/{id}", { path: { id } }, options);
}

interface Walk {
  readonly call: Caller["call"];
  readonly page: HostedCheckout;
  readonly view: HostedCheckoutView;
  readonly outcome: "linked" | "declined";
}

async function linkCard({ call, page, view, outcome }: Walk, options?: CallOptions): Promise<void> {
  let { step } = view;
  if (step === "offer" || step === "consent") {
    const { agreement } = await page.chooseTerms(view.offers[0]?.tenor ?? 1, options);
    await page.requestConsent(agreement?.termsHash ?? "", options);
    ({ step } = await page.verifyConsent(otp, options));
  }
  if (step === "card") {
    const linkId = /\/([^/#?]+)(?:[#?]|$)/.exec((await page.linkCard(options)).url)?.[1] ?? "";
    const path = { linkId };
    await call("POST /sandbox/card-links/{linkId}/complete", { path, body: { outcome } }, options);
  } else if (outcome === "declined" || step !== "processing") {
    throw new JaraInputError(
      `The checkout asks for no card, because it is at ${step}. A new customer has no card yet.`,
    );
  }
}
