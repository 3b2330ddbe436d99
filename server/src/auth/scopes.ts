/** What a key may be limited to. `*` is everything, also what is added later. */
const resources = ["loans", "checkout", "bills", "transfers", "wallets", "webhooks", "events", "sandbox"] as const;

export const everyScope = "*";

export const knownScopes: readonly string[] = [
  everyScope,
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
];
