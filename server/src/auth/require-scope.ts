import type { Caller } from "../platform/http/caller.ts";
import { hasScope } from "../platform/http/caller-scope.ts";
import { authProblem } from "./errors.ts";

export function requireScope(caller: Pick<Caller, "scopes">, scope: string): void {
  if (!hasScope(caller, scope)) throw authProblem("scope_missing", { data: { scope } });
}
