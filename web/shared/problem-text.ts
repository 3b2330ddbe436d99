/**
 * What a page says when the server refuses. Decided by the code; the server's own sentence is the fallback. What every
 * page can meet is worded here, and each page has words of its own besides.
 */
import { formatCountdown } from "./calendar.ts";
import type { ApiProblem } from "./call-api.ts";
import { entryOf } from "./entry-of.ts";

export interface ProblemText {
  readonly title: string;
  readonly text: string;
}

export type Wordings = Readonly<Record<string, (problem: ApiProblem) => ProblemText>>;

const locked = {
  title: "Too many wrong codes",
  text: "For your safety this code no longer works. Ask for a new one.",
};

const everywhere: Wordings = {
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
  rate_limited: () => ({ title: "That was a little too fast", text: "Wait a moment and try again." }),
  unreachable: () => ({
    title: "We could not reach the server",
    text: "Check your connection and try again. You have not been charged.",
  }),
  unavailable: () => ({ title: "We are briefly away", text: "Nothing was changed. Try again in a moment." }),
  internal: () => ({ title: "Something went wrong on our side", text: "Nothing was charged. Try again in a moment." }),
};

export function wordProblem(problem: ApiProblem, own: Wordings): ProblemText {
  const wording = entryOf(own, problem.code) ?? entryOf(everywhere, problem.code);
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

export function inSeconds(seconds: number | null): string {
  if (seconds === null) return "in a little while";
  if (seconds <= 0) return "now";
  if (seconds < 60) return seconds === 1 ? "in 1 second" : `in ${seconds} seconds`;
  if (seconds < 3_600) return `in ${formatCountdown(seconds)} minutes`;
  const hours = Math.ceil(seconds / 3_600);
  if (hours >= 24) return "tomorrow";
  return hours === 1 ? "in an hour" : `in ${hours} hours`;
}
