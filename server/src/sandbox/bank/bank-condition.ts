/** How a bank of a sandbox is, and the two that exist in sandboxes only. */
export const bankConditions = ["up", "degraded", "down"] as const;

export type BankCondition = (typeof bankConditions)[number];

/** Answers ten seconds late. */
export const slowBank = "999998";
/** Is always down. */
export const nowhereBank = "999999";
