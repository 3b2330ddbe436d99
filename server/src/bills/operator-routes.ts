/** What only an operator may do: end a bill with evidence, and keep the catalogue. */
import type { Route } from "../platform/http/route.ts";
import { type CatalogueRouteDependencies, catalogueRoutes } from "./catalogue-routes.ts";
import { billResolveRoute } from "./steer-routes.ts";

export function billOperatorRoutes(deps: CatalogueRouteDependencies): Route[] {
  return [billResolveRoute(), ...catalogueRoutes(deps)];
}
