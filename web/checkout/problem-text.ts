import type { ApiProblem } from "../shared/call-api.ts";
import { type ProblemText, type Wordings, wordProblem } from "../shared/problem-text.ts";

const shopAccount = {
  title: "The shop cannot be paid at the moment",
  text: "Nothing was charged. Try again in a moment, or tell the shop.",
};

const wordings: Wordings = {
  consent_terms_changed: () => ({
    title: "Your payment dates have moved",
    text: "The plan below is the new one. Look at it again and ask for a new code.",
  }),
  account_not_found: () => shopAccount,
  account_number_invalid: () => shopAccount,
  rail_not_configured: () => shopAccount,
  bank_unavailable: () => shopAccount,
  not_eligible: () => ({
    title: "Something has changed",
    text: "This plan cannot be offered any more. Nothing was charged.",
  }),
  tenor_not_supported: () => ({ title: "This plan is no longer offered", text: "Choose another number of months." }),
  page_ended: () => ({
    title: "This page is closed",
    text: "The checkout ended more than a day ago. The shop can tell you about your order.",
  }),
  session_expired: () => ({ title: "This checkout has expired", text: "Start again from the shop." }),
};

export function problemText(problem: ApiProblem): ProblemText {
  return wordProblem(problem, wordings);
}
