import type { Slice } from "../platform/slice-description.ts";
import { verificationGauges } from "./last-result.ts";
import { verificationProblems, verificationRoutes } from "./routes.ts";
import type { VerificationDependencies } from "./run-verification.ts";
import { verificationLoops } from "./verify-books.job.ts";

export const verificationSlice: Slice<unknown, VerificationDependencies> = {
  problems: verificationProblems,
  routes: verificationRoutes,
  loops: verificationLoops,
  gauges: verificationGauges,
};
