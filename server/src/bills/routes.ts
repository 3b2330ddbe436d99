import type { Route } from "../platform/http/route.ts";
import { billReadRoutes } from "./bill-routes.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import { validationRoutes } from "./validation-routes.ts";
import { type VendRouteDependencies, vendRoutes } from "./vend-routes.ts";

export function billRoutes(deps: VendRouteDependencies): Route[] {
  return [...discoveryRoutes(deps.catalogues), ...validationRoutes(deps), ...vendRoutes(deps), ...billReadRoutes()];
}
