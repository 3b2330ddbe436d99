/**
 * Carries codes to their customers. The message's id was committed with the code, so that a gateway that is asked again
 * knows it for the same message; an unclear answer is followed by another try while the code lives.
 */
import { sql } from "kysely";
import { type Database, type EnvironmentKind, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { schedule } from "../../platform/work/agenda.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import { delayAfter } from "../../rails/ask-again.ts";
import type { MessageAnswer } from "../../rails/message.ts";
import { type MessageRails, messageRailFor } from "../../rails/registry.ts";
import { digitsFor } from "./code.ts";
import type { ConsentCode } from "./consent.ts";
import { countMessageTry, endMessage, findUnsentCode } from "./consent-store.ts";
import { sendCodeTask } from "./tasks.ts";

export interface SendCodeDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly rails: MessageRails;
  readonly log: Logger;
}

export const consentTaskKinds = [sendCodeTask] as const;

export function consentTasks(deps: SendCodeDependencies): [string, TaskKind][] {
  const task: TaskKind = {
    pace: "slow",
    handle: ({ environmentId, subject }) => sendCode(deps, environmentId, subject),
  };
  return [[sendCodeTask, task]];
}

async function sendCode(deps: SendCodeDependencies, environmentId: string, id: string): Promise<void> {
  const { db, sealer, rails, log } = deps;
  const found = await inEnvironment(db, environmentId, (tx) => readUnsent(tx, id), { readOnly: true });
  if (found === undefined) return;
  const { code, kind, isTooLate } = found;
  const digits = digitsFor(sealer, code);
  if (isTooLate || digits === undefined) return inEnvironment(db, environmentId, (tx) => endMessage(tx, id, "refused"));
  const { channel, phone: to, messageId } = code;
  const text = textOf(code, digits);
  const answer = await messageRailFor(rails, kind).send({ environmentId, messageId, channel, to, text });
  if (answer.outcome === "refused") {
    log.warn({ codeId: id, code: answer.code }, "a gateway refused to carry a code");
  }
  await inEnvironment(db, environmentId, (tx) => conclude(tx, id, answer));
}

async function readUnsent(
  tx: Tx,
  id: string,
): Promise<{ code: ConsentCode; kind: EnvironmentKind; isTooLate: boolean } | undefined> {
  const code = await findUnsentCode(tx, id);
  if (code === undefined) return undefined;
  const { kind } = tx.environment;
  // A code that nobody can answer any more would only confuse.
  const isTooLate = code.status !== "live" || code.expiresAt <= tx.environment.clock.now();
  return { code, kind, isTooLate };
}

async function conclude(tx: Tx, id: string, { outcome }: MessageAnswer): Promise<void> {
  if (outcome !== "unknown") return endMessage(tx, id, outcome);
  const tries = await countMessageTry(tx, id);
  if (tries === undefined) return;
  const dueAt = tx.environment.clock.after(delayAfter(tries));
  await schedule(tx, [{ kind: sendCodeTask, subject: id, dueAt }]);
}

function textOf({ terms }: ConsentCode, digits: string): string {
  if ("fields" in terms) {
    const what = terms.fields.map((field) => fieldNames[field] ?? field).join(" and ");
    return (
      `${digits} is your code to change the ${what} that ${terms.merchant} has of you. Valid for 10 minutes. ` +
      "If you did not ask for it, tell nobody: nothing changes without it."
    );
  }
  const { amount, merchant, tenor, installment_amount: instalment } = terms;
  const payments = tenor === 1 ? `1 payment of NGN ${instalment}` : `${tenor} monthly payments of NGN ${instalment}`;
  return `${digits} is your code to accept a loan of NGN ${amount} at ${merchant}: ${payments}. Valid for 10 minutes.`;
}

const fieldNames: Readonly<Record<string, string>> = { phone: "phone number", email: "e-mail address" };

export const consentSweepSources: readonly SweepSource[] = [
  recordsById(
    { name: "codes that wait to be sent", kind: sendCodeTask },
    (after, atMost) =>
      sql`select * from find_card_work('message', ${after.environmentId}::uuid, ${after.subject}::uuid, ${atMost})`,
  ),
];
