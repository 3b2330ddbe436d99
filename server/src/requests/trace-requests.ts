/** What the log of requests tells in a trace: the requests that made or changed a record. */
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";
import { findRequestEnvironments, findRequests, type LoggedRequest, readRequestsOf } from "./request-store.ts";

export const requestTrace: TraceSource = {
  named: {
    kind: "request",
    async find(tx, name) {
      const [newest] = await findRequests(tx, name);
      return newest && { partOf: newest.recordId };
    },
    environments: findRequestEnvironments,
  },
  tell: async (tx, { ids, orders }) => ({ steps: (await readRequestsOf(tx, ids, orders)).map(stepOf) }),
};

function stepOf({
  requestId,
  at,
  clockAt,
  method,
  route,
  path,
  status,
  code,
  durationMs,
  ...rest
}: LoggedRequest): TraceStep {
  const { keyPrefix, recordId } = rest;
  return {
    at: clockAt,
    kind: "request",
    title: `${method} ${route}`,
    detail: { path, status, code, durationMs, key: keyPrefix, receivedAt: at.toISOString() },
    ids: { request: requestId, ...(recordId === null ? {} : { record: recordId }) },
    ok: status < 400,
    turn: 0,
  };
}
