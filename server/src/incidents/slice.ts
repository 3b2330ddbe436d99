import type { Slice } from "../platform/slice-description.ts";
import { incidentProblems } from "./errors.ts";
import { incidentRoutes } from "./routes.ts";

export const incidentSlice: Slice<unknown, unknown> = {
  problems: incidentProblems,
  routes: incidentRoutes,
};
