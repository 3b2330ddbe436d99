import type { Route } from "../platform/http/route.ts";
import { createBankHealth, type ForcedHealth } from "./bank-health.ts";
import { batchRoutes } from "./batch-routes.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import { type PayoutRouteDependencies, payoutRoutes } from "./payout-routes.ts";

export interface TransferRouteDependencies extends PayoutRouteDependencies {
  readonly forcedHealth: ForcedHealth;
}

export function transferRoutes(deps: TransferRouteDependencies): Route[] {
  const readHealth = createBankHealth(deps.db, deps.forcedHealth);
  return [...discoveryRoutes(deps, readHealth), ...payoutRoutes(deps), ...batchRoutes(deps)];
}
