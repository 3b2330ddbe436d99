/**
 * The biller rail of sandboxes. It takes orders, keeps its own books and plays every outcome that a merchant must be
 * able to see, each asked for by the reference or the customer. It recognises a request id: whatever number of orders
 * arrives under one, it delivers once.
 */
import type pg from "pg";
import { type Database, timeIn } from "../../platform/database/database.ts";
import { createTurns, type Turns } from "../../platform/work/turns.ts";
import {
  type BillerRail,
  billCategories,
  type CustomerAnswer,
  type CustomerQuestion,
  type Delivery,
  type VendAnswer,
  type VendOrder,
  type VendQueryAnswer,
} from "../../rails/biller.ts";
import { type BookTogether, bookTogether } from "../book-together.ts";
import { type ReferenceEnding, referenceEnding, unknownBettor, unknownSmartCard } from "../magic-inputs.ts";
import { bookReversal, withReversal } from "../reversal-notice.ts";
import { customerAfter } from "./biller-customer.ts";
import { vendReversalTask } from "./reverse-vend.ts";
import {
  decideVend,
  findDeliveries,
  findVend,
  moveVend,
  recordVends,
  type VendRecording,
} from "./simulated-biller-store.ts";
import { answerOf, type SimulatedVend, type VendStatus } from "./simulated-vend.ts";

export interface SimulatedBillerOptions {
  /** The billers' own connections. */
  readonly pool: pg.Pool;
  /** Ours: for the time in a sandbox, and for what a biller does there later. */
  readonly db: Database;
}

interface Parts extends SimulatedBillerOptions {
  /** Sandboxes take turns at the billers' few connections. */
  readonly turns: Turns;
  readonly book: BookTogether<VendOrder & { readonly recording: VendRecording }, SimulatedVend>;
}

export interface SimulatedBiller {
  readonly rail: BillerRail;
  /** Puts a vend where the sandbox's owner wants it; null when it has gone another way. */
  decide(order: VendOrder, to: "delivered" | "refused" | "reversed"): Promise<Delivery | null>;
  /** Takes a delivery back. False when there is none to take back. */
  reverse(sandbox: string, requestId: string): Promise<boolean>;
}

// Decided within a day of the sandbox's time, with room for the last question to be asked before the day is over.
const decidedAfterMs = 23.5 * 3_600_000;

export function createSimulatedBiller(options: SimulatedBillerOptions): SimulatedBiller {
  const { pool } = options;
  const connections = pool.options.max;
  const book: Parts["book"] = bookTogether({
    connections,
    keyOf: ({ requestId }) => requestId,
    book: (sandbox, orders) => recordVends(pool, sandbox, orders),
  });
  const parts: Parts = { ...options, turns: createTurns({ places: connections }), book };
  return {
    rail: {
      name: "simulated",
      categories: billCategories,
      deduplicatesByRequest: true,
      settleWindowMs: 5_000,
      requestIds: "uuid",
      validate: (question) => validate(options, question),
      vend: (order) => vend(parts, order),
      query: ({ environmentId, requestId }) => query(parts, environmentId, requestId),
    },
    decide: async (order, to) =>
      (await decideVend(pool, order, { status: to, deliversAt: await deliveryTime(options, order, to) }))?.delivery ??
      null,
    reverse: async (sandbox, requestId) =>
      (await moveVend(pool, sandbox, requestId, "reversed"))?.status === "reversed",
  };
}

async function validate(options: SimulatedBillerOptions, question: CustomerQuestion): Promise<CustomerAnswer> {
  if (!customerExists(question)) return { found: "no" };
  const deliveries = question.category === "tv" ? await findDeliveries(options.pool, question) : [];
  const now = await timeIn(options.db, question.environmentId);
  return { found: "yes", customer: customerAfter(question, deliveries, now) };
}

async function vend(parts: Parts, order: VendOrder): Promise<VendAnswer> {
  const { db } = parts;
  const { environmentId, requestId: subject } = order;
  const scenario = vendScenarioOf(order);
  const deliversAt = await deliveryTime(parts, order, scenario.status);
  const recording = { status: scenario.status, deliversAt };
  const record = () => parts.book(environmentId, { ...order, recording });
  const reversal = { environmentId, task: vendReversalTask, subject };
  const recorded = scenario.isReversed ? await withReversal(db, reversal, record) : await record();
  if (recorded.attempts === 1 && scenario.answerLost) return { outcome: "unknown", code: null };
  return answerOf(recorded);
}

/**
 * In the sandbox's time: when a vend in progress is delivered at the latest, and since when a package runs. Nothing
 * else depends on the moment of its delivery.
 */
async function deliveryTime(
  { db }: SimulatedBillerOptions,
  { category, environmentId }: VendOrder,
  status: VendStatus,
): Promise<Date | null> {
  if (status === "in_progress") return new Date((await timeIn(db, environmentId)).getTime() + decidedAfterMs);
  return status === "delivered" && category === "tv" ? timeIn(db, environmentId) : null;
}

async function query(parts: Parts, sandbox: string, requestId: string): Promise<VendQueryAnswer> {
  const found = await parts.turns.take(sandbox, () => findVend(parts.pool, sandbox, requestId));
  if (found === undefined) return { outcome: "no_record" };
  const vend = await deliverIfDue(parts, found);
  if (vend.status === "delivered" && vendScenarioOf(vend).isReversed) {
    await bookReversal(parts.db, { environmentId: sandbox, task: vendReversalTask, subject: requestId });
  }
  return answerOf(vend);
}

/** A vend that nobody decided about within a day is delivered. */
async function deliverIfDue({ db, pool }: SimulatedBillerOptions, found: SimulatedVend): Promise<SimulatedVend> {
  const { sandbox, requestId, status, deliversAt } = found;
  if (status !== "in_progress" || deliversAt === null) return found;
  if ((await timeIn(db, sandbox)) < deliversAt) return found;
  return (await moveVend(pool, sandbox, requestId, "delivered")) ?? found;
}

/** What the simulated biller does with an order. It follows from the order, never from chance. */
interface VendScenario {
  readonly status: VendStatus;
  /** The work is done, and the answer to the first order is lost. */
  readonly answerLost: boolean;
  /** The biller takes the delivery back a little later. */
  readonly isReversed: boolean;
}

const plain: VendScenario = { status: "delivered", answerLost: false, isReversed: false };

const byEnding: Readonly<Record<ReferenceEnding, VendScenario>> = {
  FAIL: { ...plain, status: "refused" },
  PENDING: { ...plain, status: "in_progress" },
  TIMEOUT: { ...plain, answerLost: true },
  REVERSE: { ...plain, isReversed: true },
};

export function vendScenarioOf({ reference }: { readonly reference: string }): VendScenario {
  const ending = referenceEnding(reference);
  return ending === undefined ? plain : byEnding[ending];
}

/** Smart cards of zeros and one betting customer exist nowhere. */
export function customerExists({ category, customer }: Pick<CustomerQuestion, "category" | "customer">): boolean {
  if (category === "tv") return !unknownSmartCard.test(customer);
  return category !== "betting" || customer !== unknownBettor;
}
