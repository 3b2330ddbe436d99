/** Queues and processes on the wire. */
import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { EnvironmentWord, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { keysOf } from "../platform/keys-of.ts";
import { isAlive, type OurProcess } from "./process.ts";
import { type Queue, queueKinds, queueStates, stateOf } from "./queue.ts";

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
