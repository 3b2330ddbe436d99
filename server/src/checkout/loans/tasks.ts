/** The names of what happens to a checkout loan later, and when. */
export const expireTask = "checkout.expire-loan";
export const disburseTask = "checkout.disburse-loan";

/** How long consent and card may take. */
export const pendingForMs = 24 * 3_600_000;
