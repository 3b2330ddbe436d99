/**
 * Reads a trace: what the id is, whose story it is part of, and then round by round what every slice tells of the
 * records in that story, until nobody names another one. Whatever id of a story is asked about, the steps are the same.
 */

import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type AuditEntry, readDecisions } from "../platform/records/audit.ts";
import {
  stepKinds,
  type TraceAudience,
  type TracedKind,
  type TraceQuestion,
  type TraceSource,
  type TraceStep,
} from "../platform/records/trace.ts";

export interface Trace {
  readonly id: string;
  readonly kind: string;
  readonly steps: readonly TraceStep[];
}

interface Asked {
  readonly id: string;
  readonly audience: TraceAudience;
}

/** Undefined when the environment has nothing of this id or name. */
export async function readTrace(tx: Tx, sources: readonly TraceSource[], asked: Asked): Promise<Trace | undefined> {
  return (await readRecord(tx, sources, asked)) ?? (await readNamed(tx, sources, asked));
}

async function readRecord(
  tx: Tx,
  sources: readonly TraceSource[],
  { id, audience }: Asked,
): Promise<Trace | undefined> {
  const kinds = kindsOf(sources);
  const found = isUuid(id) ? await findRecord(tx, kinds, id) : undefined;
  if (found === undefined) return undefined;
  const root = await findRoot(tx, kinds, { id, found });
  return { id, kind: found.kind, steps: await tellStory(tx, sources, { ids: [root], orders: [], audience }) };
}

/** A name leads to the story of a record, or is told alone. Callers choose names: one never leads to another name. */
async function readNamed(tx: Tx, sources: readonly TraceSource[], { id, audience }: Asked): Promise<Trace | undefined> {
  for (const { named } of sources) {
    const found = await named?.find(tx, id);
    if (named === undefined || found === undefined) continue;
    const whole = found.partOf === null ? undefined : await readRecord(tx, sources, { id: found.partOf, audience });
    const steps = whole?.steps ?? (await tellStory(tx, sources, { ids: [], orders: [id], audience }));
    return { id, kind: named.kind, steps };
  }
  return undefined;
}

/** The environments that have something of this name. The transaction must be in the operator's scope. */
export async function findPlaces(tx: Tx, sources: readonly TraceSource[], id: string): Promise<string[]> {
  const places = isUuid(id) ? await findEnvironmentsOf(tx, kindsOf(sources), id) : [];
  if (places.length > 0) return places;
  const found: string[] = [];
  for (const { named } of sources) found.push(...((await named?.environments(tx, id)) ?? []));
  return [...new Set(found)];
}

function kindsOf(sources: readonly TraceSource[]): TracedKind[] {
  return sources.flatMap(({ records = [] }) => records);
}

/** A charge is part of a loan, an event of its record; no chain is longer than this. */
const mostLinks = 5;

async function findRoot(
  tx: Tx,
  kinds: readonly TracedKind[],
  start: { readonly id: string; readonly found: FoundRecord },
): Promise<string> {
  let { id, found } = start;
  for (let links = 0; links < mostLinks && found.partOf !== null; links += 1) {
    const whole = await findRecord(tx, kinds, found.partOf);
    if (whole === undefined) break;
    id = found.partOf;
    found = whole;
  }
  return id;
}

/** A loan of years has some hundred records in its story. */
const mostRecords = 2_000;

async function tellStory(
  tx: Tx,
  sources: readonly TraceSource[],
  { audience, ...start }: Pick<TraceQuestion, "ids" | "orders" | "audience">,
): Promise<TraceStep[]> {
  const known = new Set([...start.ids, ...start.orders]);
  const steps: TraceStep[] = [];
  let { ids, orders } = start;
  while (ids.length + orders.length > 0) {
    const decisions = await readDecisions(tx, ids);
    const decided = new Set(decisions.map(({ subjectId }) => subjectId));
    steps.push(...decisions.map((decision) => decisionStep(decision, audience)));
    const told = [];
    for (const source of sources) told.push(await source.tell(tx, { ids, orders, audience, decided }));
    steps.push(...told.flatMap((part) => part.steps));
    ids = fresh(
      known,
      told.flatMap(({ also = [] }) => also),
    );
    orders = fresh(
      known,
      told.flatMap(({ orders: named = [] }) => named),
    );
  }
  return inOrder(
    sources,
    steps.map((step) => beforeItsRecord(steps, step)),
  );
}

/**
 * A request is written down a moment after its reply, and a sandbox's clock may have moved by then. The first request
 * about a record stands before everything that it began.
 */
function beforeItsRecord(steps: readonly TraceStep[], step: TraceStep): TraceStep {
  const { kind, ids } = step;
  const record = ids["record"];
  if (kind !== "request" || record === undefined) return step;
  const first = steps.find((other) => other.kind === "request" && other.ids["record"] === record);
  const begun = steps.filter((other) => other.kind !== "request" && Object.values(other.ids).includes(record));
  if (first !== step || begun.length === 0) return step;
  return { ...step, at: new Date(Math.min(...[step, ...begun].map(({ at }) => at.getTime()))) };
}

function fresh(known: Set<string>, named: readonly string[]): string[] {
  const unheard = [...new Set(named)].filter((name) => !known.has(name)).slice(0, mostRecords - known.size);
  for (const name of unheard) known.add(name);
  return unheard;
}

/** A merchant learns that it was decided, and when; who did it, and on which evidence, is the operator's. */
function decisionStep(
  { at, action, subjectId, actor, detail, requestId }: AuditEntry,
  audience: TraceAudience,
): TraceStep {
  const inside = audience === "operator" ? { actor, requestId, ...detail } : {};
  return {
    at,
    kind: "decision",
    title: `An operator decided: ${action}`,
    detail: { action, ...inside },
    ids: { record: subjectId },
    ok: true,
  };
}

function inOrder(sources: readonly TraceSource[], steps: readonly TraceStep[]): TraceStep[] {
  const turns: Readonly<Record<string, number>> = Object.assign({}, ...sources.map((source) => source.turns ?? {}));
  const turnOf = ({ turn = 0, cause = "" }: TraceStep) => turns[cause] ?? turn;
  return steps.toSorted(
    (a, b) =>
      a.at.getTime() - b.at.getTime() || turnOf(a) - turnOf(b) || stepKinds.indexOf(a.kind) - stepKinds.indexOf(b.kind),
  );
}

interface FoundRecord {
  readonly kind: string;
  /** The record whose story it is part of. */
  readonly partOf: string | null;
}

/** What the id is in this environment: one question to all tables, each answered by its primary key. */
async function findRecord(tx: Tx, kinds: readonly TracedKind[], id: string): Promise<FoundRecord | undefined> {
  const asked = kinds.map(
    ({ kind, table, partOf = sql<null>`null`, lastResort = false }) => sql`
      select ${kind} as kind, ${partOf}::uuid as "partOf", ${lastResort}::boolean as "lastResort"
      from ${sql.table(table)} where environment_id = ${tx.environment.id} and id = ${id}::uuid`,
  );
  const found = await sql<FoundRecord>`
    select kind, "partOf" from (${sql.join(asked, sql` union all `)}) as found
    order by "lastResort" limit 1`.execute(tx);
  return found.rows[0];
}

/** The environments that have a record with this id. The transaction must be in the operator's scope. */
async function findEnvironmentsOf(tx: Tx, kinds: readonly TracedKind[], id: string): Promise<string[]> {
  const tables = [...new Set(kinds.map(({ table }) => table))];
  const found = await sql<{ environment_id: string }>`
    select distinct environment_id from find_environments_of_record(${tables}::text[], ${id}::uuid)`.execute(tx);
  return found.rows.map((row) => row.environment_id);
}
