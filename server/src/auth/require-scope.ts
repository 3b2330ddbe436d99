import type { Caller } from "../platform/http/route.ts";
import { authProblem } from "./errors.ts";
import { everyScope } from "./scopes.ts";

/** Writing does not include reading: a key has exactly the scopes that it lists. */
export function requireScope(caller: Pick<Caller, "scopes">, scope: string): void {
  if (caller.scopes.includes(everyScope) || caller.scopes.includes(scope)) return;
  throw authProblem("scope_missing", { data: { scope } });
}
