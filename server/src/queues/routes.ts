/** What an operator sees of the work that waits, and of those who do it. */
import { type Static, Type } from "typebox";
import { kobo, nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import { type Decision, decisionKinds } from "./decision.ts";
import { readDecisions } from "./decision-store.ts";
import { isAlive, type OurProcess } from "./process.ts";
import { listProcesses, listStandbys } from "./process-store.ts";
import { type Queue, queueKinds, queueStates, stateOf } from "./queue.ts";
import { readQueues } from "./queue-store.ts";

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

/** Decisions that wait, on the wire. */
const kind = OneOf(decisionKinds, { examples: ["loan"] });

export const decisionsQuery = Type.Object({
  ...pageQuery.properties,
  kind: Type.Optional(kind),
  environment: Type.Optional(EnvironmentWord),
});

export const decisionData = named(
  "WaitingDecision",
  Type.Object({
    kind,
    id: Uuid,
    customerId: Nullable(Uuid),
    environmentId: Uuid,
    environment: EnvironmentWord,
    merchant: Type.Object({ id: Uuid, name: Type.String({ examples: ["Mama Put Foods"] }) }),
    name: Type.String({ description: "Whom it is about.", examples: ["Adaeze Okafor"] }),
    amount: Nullable(NairaNumber),
    detail: Nullable(Type.String({ description: "For people.", examples: ["12 months"] })),
    since: Timestamp,
    ageSeconds: Type.Number({ description: "In the environment's time.", examples: [4210.5] }),
  }),
);

export function presentDecision({
  merchantId,
  merchant,
  amount,
  since,
  ...rest
}: Decision): Static<typeof decisionData> {
  return {
    ...rest,
    merchant: { id: merchantId, name: merchant },
    amount: amount === null ? null : nairaNumber(kobo(amount)),
    since: since.toISOString(),
  };
}

/** Queues and processes on the wire. */
export const queueData = named(
  "Queue",
  Type.Object({
    kind: OneOf(keysOf(queueKinds), { examples: ["transfers"] }),
    says: Type.String({ description: "What waits.", examples: [queueKinds.transfers.says] }),
    environment: EnvironmentWord,
    depth: Type.Integer({ description: "What is due now; counted up to 100,000.", examples: [3] }),
    oldestSeconds: Type.Number({ description: "0 while nothing waits.", examples: [0.4] }),
    misdated: Type.Integer({
      description:
        "Due later than any work of this kind may be, because the database's clock was ahead when it was booked. A worker brings it forward within a minute.",
      examples: [0],
    }),
    state: OneOf(queueStates, {
      description: "By the age of the oldest: slow when it waits longer than usual, stuck at ten times that.",
      examples: ["ok"],
    }),
  }),
);

export const processData = named(
  "Process",
  Type.Object({
    id: Uuid,
    role: OneOf(["api", "worker", "all"]),
    version: Type.String({ examples: ["0.3.0"] }),
    host: Type.String({ examples: ["jara-1"] }),
    pid: Type.Integer({ examples: [4242] }),
    alive: Type.Boolean({ description: "False when nothing was heard of it for 35 seconds." }),
    clockAheadSeconds: Type.Number({
      description: "Before the database's clock; behind is negative.",
      examples: [0.002],
    }),
    startedAt: Timestamp,
    heardAt: Timestamp,
  }),
);

export const processesData = named(
  "Processes",
  Type.Object({
    processes: Type.Array(processData),
    standbys: Type.Array(
      Type.Object({
        name: Type.String({ examples: ["jara_2"] }),
        connected: Type.Boolean(),
        behindBytes: Type.Number({ examples: [0] }),
        behindSeconds: Nullable(Type.Number({ examples: [0.01] })),
      }),
      { description: "Copies of the database that have a replication slot." },
    ),
  }),
);

export function presentQueue(queue: Queue): Static<typeof queueData> {
  return { ...queue, says: queueKinds[queue.kind].says, state: stateOf(queue) };
}

export function presentProcess(one: OurProcess): Static<typeof processData> {
  const { silentSeconds: _, clockAheadMs, startedAt, heardAt, ...rest } = one;
  return {
    ...rest,
    alive: isAlive(one),
    clockAheadSeconds: clockAheadMs / 1000,
    startedAt: startedAt.toISOString(),
    heardAt: heardAt.toISOString(),
  };
}
