/** Turns whatever was thrown into a Problem of the catalogue. What nobody foresaw becomes `internal` and leaks nothing. */

import { outageProblem } from "../database/outage-problem.ts";
import { isConnectionLost, isTransient } from "../database/retry-transient.ts";
import { commonProblem, Problem } from "../problem.ts";

type CommonCode = Parameters<typeof commonProblem>[0];

/** Fastify's own errors that say something more exact than their status. */
const fastifyCodes: Readonly<Record<string, CommonCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_NOT_FOUND: "not_found",
  // A path that is longer than any id of ours leads nowhere.
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
};

const retrySoonSeconds = 2;

export function translateError(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isConnectionLost(error) || isTransient(error)) return outageProblem(error, retrySoonSeconds);
  return fromFastify(error) ?? commonProblem("internal", { cause: error });
}

function fromFastify(error: unknown): Problem | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  if (!error.code.startsWith("FST_ERR_")) return undefined;
  const exact = fastifyCodes[error.code];
  if (exact !== undefined) return commonProblem(exact, { cause: error });
  const status = "statusCode" in error ? error.statusCode : undefined;
  const callersFault = typeof status === "number" && status >= 400 && status < 500;
  return callersFault ? commonProblem("invalid_request", { cause: error }) : undefined;
}
