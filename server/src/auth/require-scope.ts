import { type Caller, hasScope } from "../platform/http/caller.ts";

import { authProblem } from "./errors.ts";

export function requireScope(caller: Pick<Caller, "scopes">, scope: string): void {
  if (!hasScope(caller, scope)) throw authProblem("scope_missing", { data: { scope } });
}
