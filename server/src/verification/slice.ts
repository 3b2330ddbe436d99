import type { Slice } from "../platform/slice-description.ts";
import { verificationProblems, verificationRoutes } from "./routes.ts";

import type { VerificationDependencies } from "./run-verification.ts";
import { verificationGauges } from "./verification-gauges.ts";
import { verificationLoops } from "./verify-books.job.ts";

export const verificationSlice: Slice<unknown, VerificationDependencies> = {
  problems: verificationProblems,
  routes: verificationRoutes,
  loops: verificationLoops,
  gauges: verificationGauges,
};
