import type { CheckoutView } from "./checkout-view.ts";
import type { Checkout } from "./use-checkout.ts";

/** What every step that shows a plan is given. */
export interface StepProps {
  readonly view: CheckoutView;
  readonly checkout: Checkout;
  /** The plan stands beside the step and is not repeated in it. */
  readonly wide: boolean;
}
