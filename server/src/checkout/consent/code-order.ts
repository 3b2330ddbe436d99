/**
 * A code as an order to the gateway that carries it to the customer. The message's id was committed with the code, so
 * that a gateway that is asked again knows it for the same message; an unclear answer is followed by another try while
 * the code lives. A gateway that does not know our ids is tried twice at most: the code may have arrived, and a
 * customer without one asks for the next.
 */
import { type Database, inEnvironment, readEnvironment } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import type { SweepSource } from "../../platform/work/sweeper.ts";
import type { Unknown } from "../../rails/answer.ts";
import type { MessageRails } from "../../rails/desk.ts";
import type { MessageAnswer, MessageRail } from "../../rails/message.ts";
import { openTry } from "../../rails/message-try.ts";
import { askedBySending, type OrderKey } from "../../rails/order.ts";
import { idleOrders } from "../../rails/orders.ts";
import { type Pursuit, pursue, takeUpTask } from "../../rails/pursue-order.ts";
import { digitsFor } from "./code.ts";
import type { ConsentCode } from "./consent.ts";
import { sendCodeTask } from "./consent.ts";
import { countMessageTry, endMessage, endMessageTries, findUnsentCode, findUnsentCodes } from "./consent-store.ts";

export interface SendCodeDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: MessageRails;
  readonly log: Logger;
}

interface CodeOrder extends ConsentCode {
  /** A code that nobody can answer any more would only confuse. */
  readonly isTooLate: boolean;
  readonly tries: number;
  /** Null until a try was counted. */
  readonly rail: MessageRail | null;
}

export const consentTaskKinds = [sendCodeTask] as const;

export function consentTasks(deps: SendCodeDependencies): [string, TaskKind][] {
  return [[sendCodeTask, takeUpTask(pursueCodes(deps))]];
}

/**
 * Carries at once what waits to be carried. A sandbox's owner reads messages right after the call that caused them, and
 * would otherwise race the worker; the second of the two finds nothing left to do.
 */
export async function sendWaitingCodes(deps: SendCodeDependencies, environmentId: string): Promise<void> {
  const waiting = await readEnvironment(deps.db, environmentId, findUnsentCodes);
  const { takeUp } = pursueCodes(deps);
  for (const id of waiting) await takeUp({ environmentId, id });
}

function pursueCodes(deps: SendCodeDependencies): Pursuit<CodeOrder> {
  const { db, sealer, log } = deps;
  const send = async ({ environmentId }: OrderKey, code: CodeOrder): Promise<MessageAnswer> => {
    const digits = digitsFor(sealer, code);
    if (code.isTooLate || digits === undefined || code.rail === null) return tooLate;
    const { channel, phone: to, messageId } = code;
    return code.rail.send({ environmentId, messageId, channel, to, text: textOf(code, digits) });
  };
  return pursue<CodeOrder, Exclude<MessageAnswer, Unknown>>(
    { db, log },
    {
      noun: "code",
      rail: "the gateway",
      task: sendCodeTask,
      find: async (tx, id) => {
        const found = await findUnsentCode(tx, id);
        if (found === undefined) return undefined;
        const { code, tries } = found;
        const isTooLate = code.status !== "live" || code.expiresAt <= tx.environment.clock.now();
        return { order: { ...code, isTooLate, tries, rail: null }, status: "pending", sentForMs: 0 };
      },
      start: (key, code) => startTry(deps, key, code),
      ...askedBySending(send),
      // A try is counted when it starts.
      countQueries: endMessageTries,
      end: async ({ environmentId, id }, _, answer) => {
        if (answer.outcome === "refused" && answer !== tooLate) {
          log.warn({ codeId: id, code: answer.code }, "a gateway refused to carry a code");
        }
        await inEnvironment(db, environmentId, (tx) => endMessage(tx, id, answer.outcome));
        return true;
      },
    },
  );
}

/** Null when another worker makes this try, or when there is none left to make. */
async function startTry(
  { db, rails, log }: SendCodeDependencies,
  key: OrderKey,
  code: CodeOrder,
): Promise<CodeOrder | null> {
  if (code.isTooLate) return code;
  const attempt = await openTry(rails, key, code.tries);
  return inEnvironment(db, key.environmentId, async (tx) => {
    if (attempt !== null)
      return (await countMessageTry(tx, code.id, attempt.after)) ? { ...code, rail: attempt.rail } : null;
    log.warn({ codeId: code.id, tries: code.tries }, "a gateway never said whether it carried a code");
    await endMessage(tx, code.id, "unclear");
    return null;
  });
}

const tooLate: MessageAnswer = {
  outcome: "refused",
  code: "too_late",
  message: "The code can no longer be used.",
};

function textOf({ terms }: ConsentCode, digits: string): string {
  if ("fields" in terms) {
    const what = terms.fields.map((field) => fieldNames[field] ?? field).join(" and ");
    return (
      `${digits} is your code to change the ${what} that ${terms.merchant} has of you. Valid for 10 minutes. ` +
      "If you did not ask for it, do not share it: nothing changes without it."
    );
  }
  if ("opens" in terms) {
    return (
      `${digits} is your code to see your payment plan at ${terms.merchant}. Valid for 10 minutes. ` +
      "Do not share it: anybody who has it can see your plan and pay with your card."
    );
  }
  const { amount, merchant, tenor, installment_amount: instalment } = terms;
  const payments = tenor === 1 ? `1 payment of NGN ${instalment}` : `${tenor} monthly payments of NGN ${instalment}`;
  return `${digits} is your code to accept a loan of NGN ${amount} at ${merchant}: ${payments}. Valid for 10 minutes.`;
}

const fieldNames: Readonly<Record<string, string>> = { phone: "phone number", email: "e-mail address" };

export const consentSweepSources: readonly SweepSource[] = [idleOrders("code", "waiting", sendCodeTask)];
