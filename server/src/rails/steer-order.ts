/**
 * Ending an order by somebody's word: an operator with evidence from the rail, a developer in a sandbox, or a rail that
 * takes back what it had done. Each is a step of the domain's transition table and none of them sends anything.
 */
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import { commonProblem, type Problem } from "../platform/problem.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";

export interface Steered {
  readonly id: string;
  readonly status: string;
}

/** How a domain's orders are ended. A step says where to, and whatever the domain needs to know about it. */
export interface SteerKind<Order extends Steered, Step extends { readonly to: string }> {
  /** As messages call it: "transfer". */
  readonly noun: string;
  /** What the agenda has booked for an order that has not ended. */
  readonly tasks: readonly string[];
  find(tx: Tx, id: string): Promise<Order | undefined>;
  notFound(): Problem;
  canMove(from: Order["status"], to: Step["to"]): boolean;
  /** Moves state and money; null when a worker was faster. */
  settle(tx: Tx, order: Order, step: Step): Promise<Order | null>;
}

export interface SteerCommand<Order extends Steered, Step> {
  readonly id: string;
  /** The states to end it from; any that the table allows when absent. */
  readonly from?: readonly Order["status"][];
  readonly step: Step;
}

/** Ends the order in the caller's transaction, or refuses with invalid_state. */
export async function steerOrder<Order extends Steered, Step extends { readonly to: string }>(
  tx: Tx,
  kind: SteerKind<Order, Step>,
  { id, from, step }: SteerCommand<Order, Step>,
): Promise<Order> {
  const found = requireSteerable(kind, await kind.find(tx, id), { to: step.to, from });
  const settled = await kind.settle(tx, found, step);
  if (settled === null) throw wrongState(kind, (await kind.find(tx, id)) ?? found);
  for (const task of kind.tasks) await cancelScheduled(tx, task, [id]);
  return settled;
}

/** The order, if it may be ended in this way. Throws what stands against it. */
export function requireSteerable<Order extends Steered, Step extends { readonly to: string }>(
  kind: SteerKind<Order, Step>,
  found: Order | undefined,
  { to, from }: { readonly to: Step["to"]; readonly from: readonly string[] | undefined },
): Order {
  if (found === undefined) throw kind.notFound();
  const isFrom = from === undefined ? kind.canMove(found.status, to) : from.includes(found.status);
  if (!isFrom) throw wrongState(kind, found);
  return found;
}

export function wrongState({ noun }: { readonly noun: string }, { status }: Pick<Steered, "status">): Problem {
  return commonProblem("invalid_state", {
    message: `The ${noun} is ${status}, which does not allow this.`,
    data: { status },
  });
}

/**
 * The rail has taken back what it had done. Returns whether that is booked: an order whose success we have not heard of
 * yet must hear of it first, so the notice has to come again.
 */
export async function takeBack<Order extends Steered>(
  db: Database,
  environmentId: string,
  described: {
    find(tx: Tx): Promise<Order | undefined>;
    notFound(): Problem;
    /** The state that a rail can take back. */
    readonly done: Order["status"];
    settle(order: Order): Promise<unknown>;
  },
): Promise<boolean> {
  const found = await readEnvironment(db, environmentId, described.find);
  if (found === undefined) throw described.notFound();
  // What failed was given back already, and what is reversed has been told before.
  if (found.status === "reversed" || found.status === "failed") return true;
  if (found.status !== described.done) return false;
  await described.settle(found);
  return true;
}
