import type { Caller } from "./caller.ts";

/** `*` is everything, also what is added later. */
export const everyScope = "*";

/** Writing does not include reading: a key has exactly the scopes that it lists. */
export function hasScope({ scopes }: Pick<Caller, "scopes">, scope: string): boolean {
  return scopes.includes(everyScope) || scopes.includes(scope);
}
