/** Sending a code to a customer's phone, within the limits, whatever it answers for. */

import type { Tx } from "../../platform/database/database.ts";
import { maskPhone } from "../../platform/phone-number.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { lagosDate, startOfLagosDay } from "../../platform/time/lagos-date.ts";
import { schedule } from "../../platform/work/agenda.ts";
import { type MessageRails, openRail, railUser } from "../../rails/desk.ts";
import type { Customer } from "../customers/customer.ts";
import { hashDigits, newDigits } from "./code.ts";
import {
  type CodeSubject,
  type ConsentCode,
  codeLifeMs,
  mostSendsPerDay,
  mostSendsPerWindow,
  resendAfterMs,
  sendCodeTask,
  sendWindowMs,
} from "./consent.ts";
import { findLiveCode, insertCode, moveCode, readSendTimes } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import { type CodeTerms, hashTerms } from "./terms.ts";

export interface CodeDependencies {
  readonly sealer: Sealer;
  readonly rails: MessageRails;
}

export interface CodeOrder {
  /** Locked, because the limits count over everything that is sent to them. */
  readonly customer: Customer;
  readonly subject: CodeSubject;
  /** What the code stands for. */
  readonly terms: CodeTerms;
}

/**
 * Has a code sent to the phone on record; an earlier one for the same thing stops counting. Nothing is written when it
 * throws rail_not_configured, otp_resend_too_early or otp_limit_reached.
 */
export async function issueCode(tx: Tx, deps: CodeDependencies, order: CodeOrder): Promise<ConsentCode> {
  const { customer, subject, terms } = order;
  const { kind } = tx.environment;
  await openRail(deps.rails.message, railUser(tx));
  await refuseTooMany(tx, order);
  const earlier = await findLiveCode(tx, subject);
  if (earlier !== undefined) await moveCode(tx, earlier.id, "replaced");
  const { clock } = tx.environment;
  const id = clock.newId();
  const code: ConsentCode = {
    id,
    subject,
    customerId: customer.id,
    terms,
    termsHash: hashTerms(terms),
    codeHash: hashDigits(deps.sealer, { id, subject }, newDigits(deps.sealer, kind, id)),
    channel: "sms",
    phone: customer.phone,
    destination: maskPhone(customer.phone),
    messageId: clock.newId(),
    attempts: 0,
    status: "live",
    sentAt: clock.now(),
    expiresAt: clock.after(codeLifeMs),
  };
  await insertCode(tx, code);
  await schedule(tx, [{ kind: sendCodeTask, subject: id }]);
  return code;
}

/**
 * Codes for loans, for changes and for plans' pages are counted apart: a thief who asks for changes in somebody's name,
 * or has found the address of somebody's plan, must not use up the codes that this customer buys with.
 */
async function refuseTooMany(tx: Tx, { customer, subject }: CodeOrder): Promise<void> {
  const now = tx.environment.clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const ofCustomer = { customerId: customer.id, kind: subject.kind };
  // A change or a page is replaced as often as somebody likes, so the window counts over all of the customer's.
  const counted = subject.kind === "loan" ? { subject } : ofCustomer;
  const recent = await readSendTimes(tx, counted, ago(Math.max(sendWindowMs, resendAfterMs)));
  const [latest] = recent;
  if (latest !== undefined && latest > ago(resendAfterMs)) {
    throw tooEarly("otp_resend_too_early", now, latest.getTime() + resendAfterMs);
  }
  const oldestOfWindow = recent[mostSendsPerWindow - 1];
  if (oldestOfWindow !== undefined) throw tooEarly("otp_limit_reached", now, oldestOfWindow.getTime() + sendWindowMs);
  const today = lagosDate(now);
  // Strictly after the last moment of yesterday.
  const midnight = new Date(startOfLagosDay(today).getTime() - 1);
  const sentToday = await readSendTimes(tx, ofCustomer, midnight);
  if (sentToday.length < mostSendsPerDay) return;
  throw tooEarly("otp_limit_reached", now, startOfLagosDay(today.add({ days: 1 })).getTime());
}

function tooEarly(code: "otp_resend_too_early" | "otp_limit_reached", now: Date, untilMs: number) {
  const seconds = Math.max(1, Math.ceil((untilMs - now.getTime()) / 1_000));
  const data = { retry_after_seconds: seconds, resend_after: new Date(untilMs).toISOString() };
  return consentProblem(code, { headers: { "retry-after": String(seconds) }, data });
}
