/** Asking the identity provider again about a customer that nobody has verified yet. */
export const identityTask = "checkout.verify-identity";
