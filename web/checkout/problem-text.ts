/** What the page says when the server refuses. Decided by the code; the server's own sentence is the fallback. */

import { formatCountdown } from "../shared/calendar.ts";
import type { ApiProblem } from "../shared/call-api.ts";

export interface ProblemText {
  readonly title: string;
  readonly text: string;
}

type Wording = (problem: ApiProblem) => ProblemText;

const locked = {
  title: "Too many wrong codes",
  text: "For your safety this code no longer works. Ask for a new one.",
};

const wordings: Readonly<Record<string, Wording>> = {
  otp_invalid: ({ refusal }) => wrongCode(refusal.data["attemptsRemaining"]),
  otp_expired: () => ({ title: "This code has expired", text: "Ask for a new code and type that one." }),
  otp_attempts_exceeded: () => locked,
  otp_not_requested: () => ({ title: "No code was sent yet", text: "Ask for a code first." }),
  otp_resend_too_early: ({ refusal }) => ({
    title: "A code is on its way",
    text: `You can ask for another one ${inSeconds(refusal.waitSeconds)}.`,
  }),
  otp_limit_reached: ({ refusal }) => ({
    title: "Too many codes were sent",
    text: `To protect your phone we stopped sending codes. Try again ${inSeconds(refusal.waitSeconds)}.`,
  }),
  consent_terms_changed: () => ({
    title: "Your payment dates have moved",
    text: "The plan below is the new one. Look at it again and ask for a new code.",
  }),
  account_not_found: () => shopAccount,
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
  rate_limited: () => ({ title: "That was a little too fast", text: "Wait a moment and try again." }),
  unreachable: () => ({
    title: "We could not reach the server",
    text: "Check your connection and try again. You have not been charged.",
  }),
  unavailable: () => ({ title: "We are briefly away", text: "Nothing was changed. Try again in a moment." }),
  internal: () => ({ title: "Something went wrong on our side", text: "Nothing was charged. Try again in a moment." }),
};

const shopAccount = {
  title: "The shop's bank does not answer",
  text: "Nothing was charged. Try again in a moment, or tell the shop.",
};

export function problemText(problem: ApiProblem): ProblemText {
  const wording = wordings[problem.code];
  return wording === undefined ? { title: "That did not work", text: problem.message } : wording(problem);
}

/** The last wrong try locks the code, so there is nothing to be typed again. */
function wrongCode(left: unknown): ProblemText {
  if (left === 0) return locked;
  const title = "That code is not right";
  const advice = "Check the message and type the code again.";
  if (typeof left !== "number") return { title, text: advice };
  return { title, text: `${advice} You have ${left === 1 ? "1 try" : `${left} tries`} left.` };
}

function inSeconds(seconds: number | null): string {
  if (seconds === null) return "in a little while";
  if (seconds < 60) return seconds === 1 ? "in 1 second" : `in ${seconds} seconds`;
  if (seconds < 3_600) return `in ${formatCountdown(seconds)} minutes`;
  return "tomorrow";
}
