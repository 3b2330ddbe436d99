/**
 * The bank rail of sandboxes. It takes orders, keeps its own books and plays every outcome that a merchant must be
 * able to see, each asked for by the reference, the account or the bank. It recognises a session id: whatever number
 * of orders arrives under one, money moves once.
 */
import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { type Database, timeIn } from "../../platform/database/database.ts";
import { createTurns, type Turns } from "../../platform/work/turns.ts";
import type {
  AccountAnswer,
  AccountQuestion,
  BankRail,
  PaymentAnswer,
  PaymentOrder,
  QueryAnswer,
} from "../../rails/bank.ts";
import { accountHolder } from "../account-holder.ts";
import { type BookTogether, bookTogether } from "../book-together.ts";
import { bookReversal, withReversal } from "../reversal-notice.ts";
import { slowBank } from "./bank-condition.ts";
import { createKnownConditions, type KnownConditions } from "./known-conditions.ts";

import { accountExists, isReversedLater, type Scenario, scenarioOf } from "./payment-scenario.ts";
import { paymentReversalTask } from "./reverse-payment.ts";
import {
  decidePayment,
  findPayment,
  movePayment,
  type RecordedOrder,
  type Recording,
  recordOrders,
} from "./simulated-bank-store.ts";
import { answerOf, type SimulatedPayment } from "./simulated-payment.ts";

export interface SimulatedBankOptions {
  /** The bank's own connections. */
  readonly pool: pg.Pool;
  /** Ours: for the time in a sandbox, and for what the bank does there later. */
  readonly db: Database;
  readonly slowAnswerMs?: number;
  readonly degradedAnswerMs?: number;
}

export interface SimulatedBank {
  readonly rail: BankRail;
  readonly conditions: KnownConditions;
  /** Puts a payment where the sandbox's owner wants it; false when it has gone another way. */
  decide(order: PaymentOrder, to: "paid" | "refused" | "reversed"): Promise<boolean>;
  /** Takes a paid payment back. False when there is none to take back. */
  reverse(sandbox: string, sessionId: string): Promise<boolean>;
}

interface Parts extends Required<SimulatedBankOptions> {
  readonly conditions: KnownConditions;
  /** Sandboxes take turns at the bank's few connections. */
  readonly turns: Turns;
  readonly book: BookTogether<PaymentOrder & { readonly recording: Recording }, RecordedOrder>;
}

// Decided within a day of the sandbox's time, with room for the last question to be asked before the day is over.
const decidedAfterMs = 23.5 * 3_600_000;

export function createSimulatedBank(options: SimulatedBankOptions): SimulatedBank {
  const conditions = createKnownConditions(options.pool);
  const connections = options.pool.options.max;
  const turns = createTurns({ places: connections });
  const book: Parts["book"] = bookTogether({
    connections,
    keyOf: ({ sessionId }) => sessionId,
    book: (sandbox, orders) => recordOrders(options.pool, sandbox, orders),
  });
  const parts: Parts = { slowAnswerMs: 10_000, degradedAnswerMs: 2_000, ...options, conditions, turns, book };
  return {
    rail: {
      name: "simulated",
      deduplicatesBySession: true,
      settleWindowMs: 5_000,
      senderCode: "999001",
      resolveAccount: (question) => resolveAccount(parts, question),
      send: (order) => send(parts, order),
      query: ({ environmentId, sessionId }) => query(parts, environmentId, sessionId),
    },
    conditions,
    decide: (order, to) => decidePayment(options.pool, order, to),
    reverse: async (sandbox, sessionId) =>
      (await movePayment(options.pool, sandbox, sessionId, "reversed"))?.status === "reversed",
  };
}

async function resolveAccount(parts: Parts, question: AccountQuestion): Promise<AccountAnswer> {
  const { nipCode, accountNumber } = question;
  const condition = await parts.conditions.of(question.environmentId, nipCode);
  if (nipCode === slowBank) await pause(parts.slowAnswerMs);
  else if (condition === "degraded") await pause(parts.degradedAnswerMs);
  if (condition === "down") return { found: "unavailable" };
  if (!accountExists(question)) return { found: "no" };
  return { found: "yes", accountName: accountHolder(nipCode, accountNumber) };
}

async function send(parts: Parts, order: PaymentOrder): Promise<PaymentAnswer> {
  const { db } = parts;
  const { environmentId, sessionId: subject } = order;
  const condition = await parts.conditions.of(environmentId, order.nipCode);
  const scenario = scenarioOf(order, condition);
  const paysAt = await paymentTime(db, order, scenario);
  const record = () => parts.book(environmentId, { ...order, recording: { ...scenario, paysAt } });
  const reversal = { environmentId, task: paymentReversalTask, subject };
  const { payment, isFirst } = scenario.isReversed ? await withReversal(db, reversal, record) : await record();
  if (order.nipCode === slowBank) await pause(parts.slowAnswerMs);
  if (isFirst && scenario.answerLost !== null) return { outcome: "unknown", code: scenario.answerLost.nipCode };
  return answerOf(payment);
}

/** When a payment in progress is paid at the latest, in the sandbox's time. */
async function paymentTime(db: Database, order: PaymentOrder, scenario: Scenario): Promise<Date | null> {
  if (scenario.status !== "in_progress") return null;
  return new Date((await timeIn(db, order.environmentId)).getTime() + decidedAfterMs);
}

async function query(parts: Parts, sandbox: string, sessionId: string): Promise<QueryAnswer> {
  const payment = await parts.turns.take(sandbox, () => findPayment(parts.pool, sandbox, sessionId));
  if (payment === undefined) return { outcome: "no_record" };
  if ((await parts.conditions.of(sandbox, payment.nipCode)) === "down") return { outcome: "unknown", code: "91" };
  if (payment.status === "unreached") return { outcome: "no_record" };
  const current = await payIfDue(parts, payment);
  if (current.status === "paid" && isReversedLater(current)) {
    await bookReversal(parts.db, { environmentId: sandbox, task: paymentReversalTask, subject: sessionId });
  }
  return answerOf(current);
}

/** A payment that nobody decided about within a day is paid. */
async function payIfDue({ db, pool }: Parts, payment: SimulatedPayment): Promise<SimulatedPayment> {
  const { sandbox, sessionId, status, paysAt } = payment;
  if (status !== "in_progress" || paysAt === null) return payment;
  if ((await timeIn(db, sandbox)) < paysAt) return payment;
  return (await movePayment(pool, sandbox, sessionId, "paid")) ?? payment;
}
