import { type ProblemCatalogue, problemsFrom } from "../../platform/problem.ts";

export const cardProblems = {
  card_link_not_found: { status: 404, message: "No card link has this id." },
  card_not_found: { status: 404, message: "The customer has no card with this id." },
  card_link_expired: { status: 409, message: "This link has expired. Ask for a new one." },
  card_link_stale: { status: 409, message: "A newer link has taken this one's place. Use that, or ask for a new one." },
  card_link_in_progress: { status: 409, message: "The card network is being asked about a card at this moment." },
  card_link_used: { status: 409, message: "A card was linked with this link. Ask for a new one to link another." },
  card_in_use: {
    status: 409,
    message: "This is the only card, and a loan of the customer is not finished. Link another card first.",
  },
  charge_in_progress: {
    status: 409,
    message: "A charge for this loan is under way. Wait for its outcome, then ask again.",
  },
  card_declined: {
    status: 422,
    message: "The card network declined the charge. data.reason says why; use another card or channel.",
  },
  card_refund_declined: {
    status: 422,
    message:
      "The card network declined the refund, and the credit stays. data.reason says why; use a new reference to try again.",
  },
  card_refund_too_large: {
    status: 422,
    message:
      "No charge of this loan has so much left to be refunded. data.refundable is the most that one refund can have now; give the credit back in several.",
  },
} as const satisfies ProblemCatalogue;

export const cardProblem = problemsFrom(cardProblems);
