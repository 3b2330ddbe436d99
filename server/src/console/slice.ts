import type { Slice } from "../platform/slice-description.ts";
import { sealedSecret } from "./console-secret.ts";
import { consoleProblems } from "./errors.ts";
import { personRoutes } from "./operator-routes.ts";
import { type ConsoleDependencies, consoleRoutes } from "./routes.ts";
import { sealedAuthenticator } from "./second-factor.ts";

export const consoleSlice: Slice<ConsoleDependencies, unknown> = {
  problems: consoleProblems,
  sealedColumns: [sealedSecret, sealedAuthenticator],
  routes: (needs) => [...consoleRoutes(needs), ...personRoutes(needs)],
};
