/** What a caller is told when PostgreSQL is away, or has no room to do the work. */
import { commonProblem, type Problem } from "../problem.ts";
import { isOutOfRoom } from "./retry-transient.ts";

const noRoom =
  "The database has no disk space left. Nothing was changed; retry after the seconds in Retry-After, until there is room.";

export function outageProblem(error: unknown, retryAfterSeconds: number): Problem {
  return commonProblem("unavailable", {
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause: error,
    ...(isOutOfRoom(error) ? { message: noRoom } : {}),
  });
}
