/** The names of what happens to a loan later, and when. */
export const nameTask = "loans.name-account";
export const decideTask = "loans.decide";
export const disburseTask = "loans.disburse";

/** A sandbox decides by itself, slowly enough for a person to see it. */
export const decisionDelayMs = 2_000;
