/** What to tell a person who proves, or tries to prove, who they are. */
import { ApiProblem } from "../../shared/call-api.ts";
import { DeviceRefusal, wordsForDevice } from "../api/passkeys.ts";

export function wordsFor(error: unknown): string {
  if (error instanceof DeviceRefusal) return wordsForDevice(error);
  const refusal = error instanceof ApiProblem ? error.refusal : undefined;
  if (refusal === undefined) return "Something went wrong on this page. Load it again and try once more.";
  if (refusal.status === 429) return "Too many tries. Wait a few minutes, then try again.";
  if (refusal.code === "not_found") return "This server has no sign-in yet. Update it, or ask whoever runs it.";
  return refusal.message;
}
