/** Everything that `@jara/sdk` offers. */
export type * from "./api.gen.ts";
export type { FetchInit, FetchLike, FetchReply, SignalLike } from "./calling/fetching.ts";
export type { List, Page } from "./calling/list.ts";
export type { ReplyInfo } from "./calling/reply.ts";
export type { CallOptions, ClientOptions } from "./calling/settings.ts";
export { JaraStillWaitingError, type WaitOptions, waitUntil } from "./calling/wait-until.ts";
export {
  AuthenticationError,
  ConflictError,
  type FieldError,
  InsufficientFundsError,
  JaraApiError,
  JaraConnectionError,
  JaraError,
  JaraInputError,
  JaraTimeoutError,
  NotFoundError,
  RateLimitError,
  type SignatureFault,
  UnavailableError,
  ValidationError,
  WebhookSignatureError,
} from "./errors.ts";
export {
  type HostedCheckout,
  type HostedCheckoutView,
  type HostedOptions,
  type HostedPlan,
  hostedCheckout,
} from "./hosted-checkout.ts";
export { Jara, type JaraOptions, type RawRequest } from "./jara.ts";
export type { CheckoutEnding } from "./play-checkout.ts";
export type { FollowOptions } from "./resources/events.ts";
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./verify-webhook.ts";
