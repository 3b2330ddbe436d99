/** What only an operator may do: read and end bills of any environment, and keep catalogue and rates. */
import type { Route } from "../platform/http/route.ts";
import { type CatalogueRouteDependencies, catalogueRoutes } from "./catalogue-routes.ts";
import { rateRoutes } from "./rate-routes.ts";
import { type BillViewDependencies, billResolveRoute, billViewRoute } from "./steer-routes.ts";

export function billOperatorRoutes(deps: CatalogueRouteDependencies & BillViewDependencies): Route[] {
  return [billViewRoute(deps), billResolveRoute(), ...catalogueRoutes(deps), ...rateRoutes()];
}
