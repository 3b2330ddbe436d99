import { Type } from "typebox";
import { NairaNumber, Timestamp } from "../../platform/http/wire.ts";
import { type Problem, type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

const Declined = Type.Object({
  reason: Type.Object({
    code: Type.String({ description: "The card network's.", examples: ["51"] }),
    message: Type.String({ examples: ["Insufficient funds"] }),
  }),
});

const later = {
  data: Type.Object({ retry_after_seconds: Type.Integer({ examples: [60] }), retry_after: Timestamp }),
  retryAfter: true,
} as const;

export const cardProblems = {
  card_link_not_found: { status: 404, cause: "No card link has this id." },
  charge_not_found: { status: 404, cause: "No card charge has this id." },
  card_refund_not_found: { status: 404, cause: "No refund to a card has this id." },
  card_not_found: { status: 404, cause: "The customer has no card with this id." },
  card_link_expired: { status: 409, cause: "This link has expired.", cure: "Ask for a new one." },
  card_link_stale: {
    status: 409,
    cause: "A newer link has replaced this one.",
    cure: "Use that, or ask for a new one.",
  },
  card_link_in_progress: { status: 409, cause: "A card is being linked at this moment.", cure: "Wait for the result." },
  card_link_exhausted: {
    status: 409,
    cause: "Too many cards were refused with this link.",
    cure: "Ask for a new one, and for a card that works.",
  },
  card_link_has_no_page: {
    status: 409,
    cause: "The card is typed in on this page, not on the bank's.",
    cure: "Load the page again.",
  },
  card_link_limit_reached: {
    status: 429,
    cause: "The customer has tried to link cards too often today.",
    cure: "Ask again after the seconds in Retry-After.",
    ...later,
  },
  card_charge_too_soon: {
    status: 429,
    cause: "The card was declined a short while ago.",
    cure: "Charge it again after the seconds in Retry-After.",
    ...later,
  },
  card_link_used: {
    status: 409,
    cause: "A card was linked with this link.",
    cure: "Ask for a new one to link another.",
  },
  card_in_use: {
    status: 409,
    cause: "This is the only card, and a loan of the customer is not finished.",
    cure: "Link another card first.",
  },
  charge_in_progress: {
    status: 409,
    cause: "A charge for this loan is under way.",
    cure: "Wait for its outcome, then ask again.",
  },
  balance_changed: {
    status: 409,
    cause: "What is owed has changed since it was shown, and nothing was charged.",
    cure: "Look at it again before you pay.",
  },
  card_declined: {
    status: 422,
    cause: "The card network declined the charge.",
    cure: "data.reason says why; use another card or channel.",
    data: Declined,
  },
  card_refund_declined: {
    status: 422,
    cause: "The card network declined the refund, and the credit stays.",
    cure: "data.reason says why; use a new reference to try again.",
    data: Declined,
  },
  card_refund_too_large: {
    status: 422,
    cause: "No single charge of this loan has that much left to refund.",
    cure: "data.refundable is the most that one refund can be now; give the credit back in several.",
    data: Type.Object({ refundable: NairaNumber }),
  },
} as const satisfies ProblemCatalogue;

export const cardProblem = problemsFrom(cardProblems);

/** For what can be asked again later. */
export function waitProblem(code: "card_link_limit_reached" | "card_charge_too_soon", now: Date, until: Date): Problem {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
  return cardProblem(code, {
    headers: { "retry-after": String(seconds) },
    data: { retry_after_seconds: seconds, retry_after: until.toISOString() },
  });
}
