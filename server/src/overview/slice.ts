import type { Slice } from "../platform/slice-description.ts";
import { type OverviewRouteDependencies, overviewRoutes } from "./routes.ts";

export const overviewSlice: Slice<OverviewRouteDependencies, unknown> = {
  sections: [{ name: "Overview", description: "The figures of a period, and what needs attention now." }],
  scopes: ["overview"],
  routes: overviewRoutes,
};
