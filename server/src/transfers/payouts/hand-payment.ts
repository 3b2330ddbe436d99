/**
 * A payment that a person makes by hand: a payout, or a batch from a file. People press twice, upload the corrected
 * file once more, or do what a colleague has just done, and a reference cannot tell: each try has another. So the
 * server looks at what is paid. A payout to the same account of the same amount within ten minutes, or a row of a
 * batch that a batch of the last seven days has paid, stops with `payment_repeated`. A person who means it sends the
 * id of the payment they were shown, and passes if that is still the latest one.
 *
 * One payment is looked at at a time in an environment, and is written down before the lock is released: of two at
 * the same moment the second sees the first. An order that waits for a second person counts as paid. A rejected order
 * and a payout that failed do not count. Keys are programs, whose references say what is the same: they are not asked.
 */
import { createHash } from "node:crypto";
import { sum } from "../../money/arithmetic.ts";
import { type Kobo, nairaNumber } from "../../money/kobo.ts";
import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Person } from "../../platform/http/caller.ts";
import type { LimitPeople } from "../../wallets/limit-people.ts";
import { transferProblem } from "./errors.ts";
import {
  type EarlierPayment,
  findEarlier,
  findLatestOf,
  insertHandPayment,
  lockHandPayments,
  moveHandPayment,
} from "./hand-payment-store.ts";

interface Recipient {
  /** The CBN code. */
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly amount: Kobo;
}

export interface HandOrder {
  readonly kind: "payout" | "batch";
  readonly reference: string;
  readonly payouts: readonly Recipient[];
}

export interface ByHand {
  readonly person: Pick<Person, "id" | "name">;
  /** The payment that the person was shown and wants to make again, by its id. */
  readonly again: string | null;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function byPerson(person: Person, headers: Headers): ByHand {
  const again = headers["x-jara-pay-again"];
  return { person, again: typeof again === "string" ? again : null };
}

/** Null for a key. */
export function byHand({ person }: { readonly person: Person | null }, headers: Headers): ByHand | null {
  return person === null ? null : byPerson(person, headers);
}

const windowMs = { payout: 10 * 60_000, batch: 7 * 86_400_000 } as const;

/** What one payout pays, in a word. */
export function payoutWord({ bankCode, accountNumber, amount }: Recipient): string {
  return `${bankCode}/${accountNumber}/${amount}`;
}

function contentOf(payouts: readonly Recipient[]): Buffer {
  const all = payouts.map(payoutWord).sort().join("\n");
  return createHash("sha256").update(all).digest();
}

/** The payments that this one would repeat, the latest first. */
export function findRepeated(tx: Tx, { kind, reference, payouts }: HandOrder): Promise<EarlierPayment[]> {
  return findEarlier(tx, {
    since: new Date(tx.environment.clock.now().getTime() - windowMs[kind]),
    payouts: payouts.map(payoutWord),
    kinds: kind === "batch" ? ["batch"] : ["payout", "batch"],
    // A payout is written down before it is tried: an attempt under its own reference is this very payout.
    except: kind === "payout" ? reference : null,
  });
}

/** Throws `payment_repeated`. No other payment by hand is looked at until the transaction ends. */
export async function refuseRepeated(tx: Tx, by: ByHand, order: HandOrder): Promise<void> {
  await lockHandPayments(tx);
  const earlier = await findRepeated(tx, order);
  const [latest] = earlier;
  if (latest === undefined || latest.id === by.again) return;
  const data = presentRepeated(earlier, by.person.id, tx.environment.clock.now());
  throw transferProblem("payment_repeated", data === null ? {} : { data });
}

interface NewByHand {
  readonly id: string;
  readonly order: HandOrder;
  readonly state: "made" | "waiting";
}

/** Writes down what `refuseRepeated` let pass, in the same transaction. */
export async function recordByHand(tx: Tx, by: ByHand, { id, order, state }: NewByHand): Promise<void> {
  const { kind, reference, payouts } = order;
  if (payouts.length === 0) return;
  await insertHandPayment(tx, {
    id,
    kind,
    reference,
    content: contentOf(payouts),
    payouts: payouts.map(payoutWord),
    amount: sum(payouts.map(({ amount }) => amount)),
    person: by.person,
    madeAt: tx.environment.clock.now(),
    state,
  });
}

/** The second person has agreed: from now on it counts as paid now. */
export function approveByHand(tx: Tx, id: string): Promise<void> {
  return moveHandPayment(tx, id, "made");
}

/** It was refused, so it can be paid by anybody. */
export function withdrawByHand(tx: Tx, id: string): Promise<void> {
  return moveHandPayment(tx, id, "withdrawn");
}

/**
 * For a payout, which group commit accepts in a transaction of its own: it is written down before it is tried and taken
 * back when it is refused. A server that dies in between leaves it counted for ten minutes, which is safe.
 */
export function onceByHand(
  { db, limitPeople }: { readonly db: Database; readonly limitPeople: LimitPeople },
  by: ByHand | null,
  order: HandOrder,
): LimitPeople {
  if (by === null) return limitPeople;
  return async (payer, spending) => {
    const id = await inEnvironment(db, payer.environmentId, async (tx) => {
      const attempt = tx.environment.clock.newId();
      await refuseRepeated(tx, by, order);
      await recordByHand(tx, by, { id: attempt, order, state: "made" });
      return attempt;
    });
    const withdraw = () => inEnvironment(db, payer.environmentId, (tx) => withdrawByHand(tx, id));
    try {
      const takeBack = await limitPeople(payer, spending);
      return async () => {
        await takeBack();
        await withdraw();
      };
    } catch (error) {
      await withdraw();
      throw error;
    }
  };
}

/** What a person is told about the payments that theirs would repeat. */
export function presentRepeated(earlier: readonly EarlierPayment[], viewerId: string, now: Date) {
  const [latest] = earlier;
  if (latest === undefined) return null;
  return {
    paymentId: latest.id,
    kind: latest.kind,
    isWaiting: latest.state === "waiting",
    recordId: latest.recordId,
    amount: nairaNumber(latest.amount),
    paidAt: latest.madeAt.toISOString(),
    paidBy: latest.personName,
    isOwn: latest.personId === viewerId,
    secondsAgo: Math.max(0, Math.floor((now.getTime() - latest.madeAt.getTime()) / 1000)),
    repeatedCount: new Set(earlier.flatMap(({ repeated }) => repeated)).size,
  };
}

/**
 * The reference of a batch whose file names none: made of what is paid, so that the same file is the same batch in any
 * browser, and of the latest batch of the same content, so that next month's payroll is another one.
 */
export async function suggestReference(tx: Tx, payouts: readonly Recipient[]): Promise<string> {
  const content = contentOf(payouts);
  const latest = await findLatestOf(tx, content);
  const mark = createHash("sha256")
    .update(content)
    .update(latest ?? "");
  return mark.digest("hex").slice(0, 12);
}
