/**
 * Reads a trace: what the id is, whose story it is part of, and then round by round what every slice tells of the
 * records in that story, until nobody names another one. Whatever id of a story is asked about, the steps are the same.
 */
import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type AuditEntry, readDecisions } from "../platform/records/audit.ts";
import {
  stepKinds,
  type TraceAudience,
  type TracedKind,
  type TraceSource,
  type TraceStep,
} from "../platform/records/trace.ts";
import { type FoundRecord, findRecord } from "./trace-store.ts";

export interface Trace {
  readonly id: string;
  readonly kind: string;
  readonly steps: readonly TraceStep[];
}

/** Undefined when the environment has no record with this id. */
export async function readTrace(
  tx: Tx,
  sources: readonly TraceSource[],
  { id, audience }: { readonly id: string; readonly audience: TraceAudience },
): Promise<Trace | undefined> {
  const kinds = kindsOf(sources);
  const found = isUuid(id) ? await findRecord(tx, kinds, id) : undefined;
  if (found === undefined) return undefined;
  const root = await findRoot(tx, kinds, { id, found });
  return { id, kind: found.kind, steps: await tellStory(tx, sources, { root, audience }) };
}

export function kindsOf(sources: readonly TraceSource[]): TracedKind[] {
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
  { root, audience }: { readonly root: string; readonly audience: TraceAudience },
): Promise<TraceStep[]> {
  const known = new Set([root]);
  const steps: TraceStep[] = [];
  let ids: readonly string[] = [root];
  let orders: readonly string[] = [];
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
  return inOrder(sources, steps);
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
