/** The life of an order to a rail as steps of a trace: its states, what was asked of the rail, and what came back. */
import type { TraceStep } from "../platform/records/trace.ts";
import type { AskedOrder } from "./order-records.ts";

export interface TracedOrder {
  readonly ids: TraceStep["ids"];
  /** Who was asked: "the bank". */
  readonly rail: string;
  /** What was asked, without secrets. */
  readonly asked: TraceStep["detail"];
  readonly status: string;
  /** What a rail's yes makes of it: "completed". */
  readonly done: string;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
  readonly completedAt: Date | null;
  readonly updatedAt: Date;
  /** How often the rail was asked about it because it had not told the outcome. */
  readonly queries: number;
  /** The outcome is an operator's word, not the rail's. */
  readonly decided: boolean;
  /** What the rail gave, such as a receipt. */
  readonly given?: TraceStep["detail"];
}

type Life = "status" | "failure" | "createdAt" | "sentAt" | "completedAt" | "updatedAt" | "queries";

/** What every table of orders knows of the life of one. */
export function lifeOf({
  order,
  ...asked
}: AskedOrder<
  Pick<TracedOrder, "status" | "createdAt" | "completedAt" | "updatedAt"> & {
    readonly failureReason: TracedOrder["failure"];
  }
>): Pick<TracedOrder, Life> {
  const { status, failureReason: failure, createdAt, completedAt, updatedAt } = order;
  return { status, failure, createdAt, completedAt, updatedAt, ...asked };
}

/** Where the steps of one moment stand. */
const turn = {
  accepted: 1,
  sent: 2,
  asked: 2.2,
  queried: 2.4,
  answered: 2.6,
  ended: 3,
  back: 3.5,
  reversed: 4,
} as const;

/** The same for the postings and events of an order, which share their names. */
export function turnsOfOrder(noun: string, ends: readonly string[]): Readonly<Record<string, number>> {
  const ended = ends.map((end) => [`${noun}.${end}`, turn.ended]);
  return { [`${noun}.held`]: turn.accepted, ...Object.fromEntries(ended), [`${noun}.reversed`]: turn.reversed };
}

export function orderSteps(order: TracedOrder): TraceStep[] {
  const { sentAt, completedAt, status, failure } = order;
  const steps = [state(order, order.createdAt, { title: "Accepted", status: "pending", turn: turn.accepted })];
  if (sentAt !== null) {
    const title = `On its way to ${order.rail}`;
    steps.push(state(order, sentAt, { title, status: "processing", turn: turn.sent }), ...railSteps(order, sentAt));
  }
  if (completedAt === null) return steps;
  const end = status === "failed" ? { title: "Failed", failure } : { title: "Done" };
  const ended = status === "failed" ? status : order.done;
  steps.push(state(order, completedAt, { ...end, status: ended, turn: turn.ended }));
  if (status !== "reversed") return steps;
  return [...steps, state(order, order.updatedAt, { title: "Reversed", status, turn: turn.reversed, failure })];
}

interface State {
  readonly title: string;
  readonly status: string;
  readonly turn: number;
  readonly failure?: TracedOrder["failure"];
}

function state({ ids }: TracedOrder, at: Date, { title, turn: place, ...detail }: State): TraceStep {
  const ok = detail.status !== "failed" && detail.status !== "reversed";
  return { at, kind: "state", title, detail, ids, ok, turn: place };
}

function railSteps(order: TracedOrder, sentAt: Date): TraceStep[] {
  const { rail, asked, completedAt, queries, status, updatedAt } = order;
  const steps = [railStep(order, sentAt, { title: `Asked ${rail}`, detail: { asked }, turn: turn.asked })];
  if (queries > 0) {
    const times = queries === 1 ? "1 time" : `${queries} times`;
    const title = `Asked ${rail} again, ${times}, because it had not told the outcome`;
    const ok = completedAt !== null;
    steps.push(railStep(order, completedAt ?? updatedAt, { title, detail: { queries }, turn: turn.queried, ok }));
  }
  if (completedAt !== null && !order.decided) steps.push(answerStep(order, completedAt));
  if (status !== "reversed") return steps;
  const back = { title: `It came back from ${rail}`, detail: { answered: order.failure }, turn: turn.back, ok: false };
  return [...steps, railStep(order, updatedAt, back)];
}

function answerStep(order: TracedOrder, at: Date): TraceStep {
  const { rail, status, failure, given } = order;
  if (status !== "failed") {
    const detail = { answered: { outcome: "done", ...given } };
    return railStep(order, at, { title: `Confirmed by ${rail}`, detail, turn: turn.answered });
  }
  const detail = { answered: { outcome: "refused", ...failure } };
  return railStep(order, at, { title: `Refused by ${rail}`, detail, turn: turn.answered, ok: false });
}

interface AtRail {
  readonly title: string;
  readonly detail: TraceStep["detail"];
  readonly turn: number;
  readonly ok?: boolean;
}

function railStep({ ids }: TracedOrder, at: Date, { title, detail, turn: place, ok = true }: AtRail): TraceStep {
  return { at, kind: "rail", title, detail, ids, ok, turn: place };
}
