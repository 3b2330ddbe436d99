import type { Slice } from "../platform/slice-description.ts";
import { incidentProblems, incidentRoutes } from "./routes.ts";

export const incidentSlice: Slice<unknown, unknown> = {
  problems: incidentProblems,
  routes: incidentRoutes,
};
