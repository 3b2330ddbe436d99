import type { ApiProblem } from "../shared/call-api.ts";
import { inSeconds, type ProblemText, type Wordings, wordProblem } from "../shared/problem-text.ts";

const wordings: Wordings = {
  page_ended: () => ({
    title: "This link has expired",
    text: "A link to a plan works for some weeks. The shop can send you a new one.",
  }),
  invalid_page_token: () => ({
    title: "This link does not work",
    text: "It is not complete, or it belongs to another page. Open it again from the message you got.",
  }),
  card_declined: ({ refusal }) => ({
    title: "Your bank declined the payment",
    text: `${reasonOf(refusal.data["reason"])}Nothing was taken. Try again later, or change your card.`,
  }),
  card_charge_too_soon: ({ refusal }) => ({
    title: "Your card was declined a short while ago",
    text: `Nothing was taken. You can try again ${inSeconds(refusal.waitSeconds)}, or change your card.`,
  }),
  charge_in_progress: () => ({
    title: "A payment is under way",
    text: "Wait until your bank has answered, so that nothing is taken twice.",
  }),
  balance_changed: () => ({
    title: "Your plan has changed meanwhile",
    text: "Nothing was taken. Look at what is left to pay now, and pay again if you still want to.",
  }),
  reference_conflict: () => ({
    title: "Your plan has changed meanwhile",
    text: "Nothing more was taken. Look at what is left to pay now.",
  }),
  amount_out_of_band: () => ({
    title: "That is more than is left to pay",
    text: "Nothing was taken. Choose a smaller amount.",
  }),
  card_not_linked: () => ({ title: "There is no card to pay with", text: "Add a card first." }),
  card_link_limit_reached: ({ refusal }) => ({
    title: "Too many cards were tried today",
    text: `You can add another card ${inSeconds(refusal.waitSeconds)}.`,
  }),
  unreachable: () => ({
    title: "We could not reach the server",
    text: "Check your connection and try again. If you were paying, press the same button: nothing is taken twice.",
  }),
  internal: () => ({
    title: "Something went wrong on our side",
    text: "Try again in a moment. If you were paying, press the same button: nothing is taken twice.",
  }),
};

export function problemText(problem: ApiProblem): ProblemText {
  return wordProblem(problem, wordings);
}

function reasonOf(reason: unknown): string {
  const message = typeof reason === "object" && reason !== null && "message" in reason ? reason.message : null;
  return typeof message === "string" ? `${message.replace(/\.?$/, ".")} ` : "";
}
