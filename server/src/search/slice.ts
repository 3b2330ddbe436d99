import type { Slice } from "../platform/slice-description.ts";
import { type SearchRouteDependencies, searchRoutes } from "./routes.ts";

export const searchSlice: Slice<SearchRouteDependencies, unknown> = {
  sections: [{ name: "Search", description: "A record by what you have at hand: a reference, a number, an amount." }],
  scopes: ["search"],
  routes: searchRoutes,
};
