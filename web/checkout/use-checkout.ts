/** The checkout's view and what can be done with it. */
import { type PageView, usePageView, type ViewSource } from "../shared/use-page-view.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { isOnlyPending } from "./reason-text.ts";

export type Action = "terms" | "consent/request" | "consent/verify" | "card-link" | "cancel";

export type Checkout = PageView<CheckoutView, Action>;

const source: ViewSource<CheckoutView> = {
  path: "/hosted/checkout",
  isWaiting: (view) => view.step === "processing" || isOnlyPending(view),
  // Another device was faster; the view that comes next shows where it got to.
  untold: ["consent_given"],
  take(answer, action) {
    if (action !== "card-link") return answer as CheckoutView;
    window.location.assign((answer as { readonly url: string }).url);
    return null;
  },
};

export function useCheckout(token: string): Checkout {
  return usePageView<CheckoutView, Action>(token, source);
}
