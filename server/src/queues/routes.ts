/** What an operator sees of the work that waits, and of those who do it. */
import { Type } from "typebox";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { pageOf, paginationOf } from "../platform/records/pagination.ts";
import { decisionData, decisionsQuery, presentDecision } from "./decision-schemas.ts";
import { readDecisions } from "./decision-store.ts";
import { listProcesses, listStandbys } from "./process-store.ts";
import { readQueues } from "./queue-store.ts";
import { presentProcess, presentQueue, processesData, queueData } from "./schemas.ts";

export function queueRoutes(): Route[] {
  return [
    operatorRoute({
      method: "GET",
      path: "/operator/queues",
      operationId: "listQueues",
      readsPrimary: true,
      tag: "Operator",
      summary: "List queues",
      description:
        "Work of every kind that is due and that no worker has taken up, with the age of the oldest. An empty queue is listed with depth 0.",
      reply: { status: 200, message: "Queues retrieved.", data: Type.Array(queueData) },
      handle: async ({ read }) => ({ data: (await read(readQueues)).map(presentQueue) }),
    }),
    operatorRoute({
      method: "GET",
      path: "/operator/processes",
      operationId: "listProcesses",
      readsPrimary: true,
      tag: "Operator",
      summary: "List servers and workers",
      description:
        "Every server and worker of this database, with its version, since when it runs and when it was last heard of. One that was stopped is gone from the list, one that was killed stays for a day with `alive: false`.",
      reply: { status: 200, message: "Processes retrieved.", data: processesData },
      handle: ({ read }) =>
        read(async (tx) => {
          const processes = (await listProcesses(tx)).map(presentProcess);
          const standbys = (await listStandbys(tx)).map((standby) => ({ ...standby }));
          return { data: { processes, standbys } };
        }),
    }),
    decisionsRoute(),
  ];
}

function decisionsRoute(): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/decisions",
    operationId: "listDecisions",
    readsPrimary: true,
    tag: "Operator",
    summary: "List what waits for an operator",
    description:
      "Loans to decide about, loans whose payouts failed too often, contact data and identities that a person must confirm; of all environments, live ones first, then the oldest. What waits in a sandbox is listed after a minute.",
    query: decisionsQuery,
    reply: { status: 200, message: "Decisions retrieved.", data: Type.Array(decisionData), paged: true },
    handle: async ({ query, read }) => {
      const asked = pageOf(query);
      const filter = { kind: query.kind ?? null, environment: query.environment ?? null };
      const { rows, total } = await read((tx) => readDecisions(tx, filter, asked));
      return { data: rows.map(presentDecision), pagination: paginationOf(total, asked.page, asked.limit) };
    },
  });
}
