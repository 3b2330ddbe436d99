import type { Slice } from "../platform/slice-description.ts";
import { authProblems } from "./errors.ts";
import { type AuthRouteDependencies, authRoutes } from "./routes.ts";

export const authSlice: Slice<AuthRouteDependencies, unknown> = {
  problems: authProblems,
  lookupFunctions: {
    "find_api_key(bytea)": "A request carries a key; the key tells which environment it belongs to.",
    "find_key_environment(uuid)": "An operator names a key by its id alone.",
    "touch_api_keys(uuid[],timestamp with time zone[])":
      "Last-used times are gathered and written for all tenants at once.",
  },
  routes: authRoutes,
};
