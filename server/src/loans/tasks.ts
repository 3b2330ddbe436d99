/** The names of what happens to a loan later, and when. */
export const nameTask = "loans.name-account";
export const decideTask = "loans.decide";
export const disburseTask = "loans.disburse";

/** A sandbox decides and pays out by itself, slowly enough for a person to see both. */
export const decisionDelayMs = 2_000;
export const disbursementDelayMs = 2_000;
