import type { Slice } from "../platform/slice-description.ts";
import { type TraceRouteDependencies, traceRoutes } from "./routes.ts";

export const traceSlice: Slice<TraceRouteDependencies, unknown> = {
  sections: [{ name: "Traces", description: "Where is my money, and why: the story of a record, step by step." }],
  scopes: ["traces"],
  routes: traceRoutes,
};
