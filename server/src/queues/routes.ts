/** What an operator sees of the work that waits, and of those who do it. */
import { type Static, Type } from "typebox";
import { kobo, nairaNumber } from "../money/kobo.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import type { QueueKinds } from "../platform/slice-description.ts";
import { type Decision, readDecisions } from "./decision-store.ts";

import { isAlive, type OurProcess } from "./process.ts";
import { listProcesses, listStandbys } from "./process-store.ts";
import { type Queue, queueStates, stateOf } from "./queue.ts";
import { readQueues } from "./queue-store.ts";

export interface QueueRouteDependencies {
  /** Of all slices. */
  readonly queues: QueueKinds;
  readonly decisions: readonly string[];
}

export function queueRoutes({ queues, decisions }: QueueRouteDependencies): Route[] {
  return [
    describeRoute("operator", {
      method: "GET",
      path: "/operator/queues",
      operationId: "listQueues",
      readsPrimary: true,
      tag: "Operator",
      summary: "List queues",
      description:
        "Work of every kind that is due and that no worker has taken up, with the age of the oldest. An empty queue is listed with depth 0.",
      reply: { status: 200, message: "Queues retrieved.", data: Type.Array(queueDataOf(queues)) },
      handle: async ({ read }) => ({ data: (await read((tx) => readQueues(tx, queues))).map(presentQueue) }),
    }),
    describeRoute("operator", {
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
    decisionsRoute(decisions),
  ];
}

function decisionsRoute(kinds: readonly string[]): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/decisions",
    operationId: "listDecisions",
    readsPrimary: true,
    tag: "Operator",
    summary: "List what waits for an operator",
    description:
      "Loans to decide about, loans whose payouts failed too often, contact data and identities that a person must confirm; of all environments, live ones first, then the oldest. What waits in a sandbox is listed after a minute.",
    query: decisionsQueryOf(kinds),
    reply: { status: 200, message: "Decisions retrieved.", data: Type.Array(decisionDataOf(kinds)), paged: true },
    handle: async ({ query, read }) => {
      const asked = pageOf(query);
      const filter = { kind: query.kind ?? null, environment: query.environment ?? null };
      const { rows, total } = await read((tx) => readDecisions(tx, filter, asked));
      return { data: rows.map(presentDecision), pagination: paginationOf(total, asked.page, asked.limit) };
    },
  });
}

/** Decisions that wait, on the wire. */
const DecisionKind = (kinds: readonly string[]) => OneOf(kinds, { examples: kinds.slice(0, 1) });

export const decisionsQueryOf = (kinds: readonly string[]) =>
  Type.Object({
    ...pageQuery.properties,
    kind: Type.Optional(DecisionKind(kinds)),
    environment: Type.Optional(EnvironmentWord),
  });

export const decisionDataOf = (kinds: readonly string[]) =>
  named(
    "WaitingDecision",
    Type.Object({
      kind: DecisionKind(kinds),
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
}: Decision): Static<ReturnType<typeof decisionDataOf>> {
  return {
    ...rest,
    merchant: { id: merchantId, name: merchant },
    amount: amount === null ? null : nairaNumber(kobo(amount)),
    since: since.toISOString(),
  };
}

/** Queues and processes on the wire. */
export const queueDataOf = (kinds: QueueKinds) =>
  named(
    "Queue",
    Type.Object({
      kind: OneOf(Object.keys(kinds), { examples: Object.keys(kinds).slice(0, 1) }),
      says: Type.String({
        description: "What waits.",
        examples: Object.values(kinds)
          .slice(0, 1)
          .map(({ says }) => says),
      }),
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

export function presentQueue(queue: Queue): Static<ReturnType<typeof queueDataOf>> {
  const { slowSeconds: _, ...shown } = queue;
  return { ...shown, state: stateOf(queue) };
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
