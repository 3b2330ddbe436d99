/** The steps of a trace as a person reads them: what happened, how long after the step before, where to look next. */
import type { Trace, TraceStep } from "@jara/sdk";
import { entryOf } from "../../shared/entry-of.ts";
import { naira } from "../parts/figures.ts";

export interface TimedStep extends TraceStep {
  readonly key: string;
  /** Since the step before; null for the first. */
  readonly sinceMs: number | null;
}

export function timeLine({ steps }: Trace): TimedStep[] {
  return steps.map((step, index) => {
    const before = steps[index - 1];
    const sinceMs = before === undefined ? null : Date.parse(step.at) - Date.parse(before.at);
    return { ...step, key: `${index}-${step.kind}`, sinceMs };
  });
}

const mostInBrief = 4;

/** How much a step tells a person who asks where the money is. Postings and single questions to a rail tell little. */
const telling: Readonly<Record<TraceStep["kind"], number>> = {
  request: 2,
  decision: 3,
  check: 0,
  rail: 1,
  state: 3,
  posting: 0,
  event: 1,
  delivery: 1,
};

/** The four steps that tell most, in order: the last one, what went wrong, decisions and states; of equals the later. */
export function stepsInBrief(trace: Trace): Trace {
  const { steps } = trace;
  const last = steps.length - 1;
  const worth = (index: number) => {
    const step = steps[index];
    if (step === undefined) return 0;
    return index === last ? 9 : step.ok ? (entryOf(telling, step.kind) ?? 1) : 4;
  };
  const order = steps.map((_, index) => index).toSorted((one, other) => worth(other) - worth(one) || other - one);
  const kept = new Set(order.slice(0, mostInBrief));
  return { ...trace, steps: steps.filter((_, index) => kept.has(index)) };
}

export interface Leg {
  readonly account: string;
  readonly amount: number;
}

/** The legs of a posting, in the order in which a person reads: where it came from, where it went. */
export function legsOf(step: TraceStep): Leg[] {
  const legs = step.detail["legs"];
  if (!Array.isArray(legs)) return [];
  return (legs as Leg[]).toSorted((one, other) => one.amount - other.amount);
}

const amounts = /(amount|fee|vat|duty|debit|balance|commission|price)$/i;

/** What the time line shows of a step's details in words; the legs have a table of their own. */
export function factsOf(step: TraceStep): [string, string][] {
  return flatten(step.detail).filter(([name]) => !name.startsWith("legs"));
}

function flatten(value: Readonly<Record<string, unknown>>, prefix = ""): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const path = prefix === "" ? name : `${prefix} ${name}`;
    if (inner === null || inner === undefined || inner === "") return [];
    if (Array.isArray(inner)) return inner.length === 0 ? [] : [[path, JSON.stringify(inner)]];
    if (typeof inner === "object") return flatten(inner as Record<string, unknown>, path);
    return [[path, typeof inner === "number" && amounts.test(name) ? naira(inner) : String(inner)]];
  });
}

const pages: Readonly<Record<string, (id: string) => string>> = {
  transfer: (id) => `/transfers/${id}`,
  bill: (id) => `/bills/${id}`,
  loan: (id) => `/loans/${id}`,
  event: (id) => `/events/${id}`,
  batch: (id) => `/bulk/${id}`,
  customer: (id) => `/customers/${id}`,
  transaction: (id) => `/trace/${id}`,
  charge: (id) => `/trace/${id}`,
};

/** Other records that a step names, with the pages that show them. */
export function linksOf(step: TraceStep, ownId: string): { name: string; path: string }[] {
  return Object.entries(step.ids).flatMap(([name, id]) => {
    const page = entryOf(pages, name);
    return page === undefined || id === ownId ? [] : [{ name, path: page(id) }];
  });
}
