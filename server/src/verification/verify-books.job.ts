/** What a worker does: puts down the verification of the night, and takes up what waits. */
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { planVerification } from "./plan-verification.ts";
import { createVerifier, type VerificationDependencies } from "./run-verification.ts";

const planEveryMs = 60_000;

export function verificationLoops(deps: VerificationDependencies): DomainLoop[] {
  return [
    { name: "nights of verification", step: every(planEveryMs, () => planVerification(deps)) },
    { name: "verifications", ...createVerifier(deps) },
  ];
}
