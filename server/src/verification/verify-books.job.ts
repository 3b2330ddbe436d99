/** What a worker does: puts down the verification of the night, and takes up what waits. */

import { inEnvironment, operatorScope, readEnvironment, timeIn } from "../platform/database/database.ts";
import { lagosTime } from "../platform/time/lagos-date.ts";
import { type DomainLoop, every } from "../platform/work/background-loop.ts";
import { createVerifier, type VerificationDependencies } from "./run-verification.ts";
import { nightly } from "./verification.ts";
import { insertVerification, isDoneSince } from "./verification-store.ts";

const planEveryMs = 60_000;

export function verificationLoops(deps: VerificationDependencies): DomainLoop[] {
  return [
    { name: "nights of verification", step: every(planEveryMs, () => planVerification(deps)) },
    { name: "verifications", ...createVerifier(deps) },
  ];
}

/** Every night in Lagos the books are verified, once, by a worker. */

/** When the least is paid. */
const nightHour = 3;
/** So long one that failed is left alone. */
const restMs = 3_600_000;

/** `now` is the moment of the operator's clock, unless a test has another. Returns whether one was put down. */
export async function planVerification(deps: VerificationDependencies, now?: Date): Promise<boolean> {
  const { db, log } = deps;
  const moment = now ?? (await timeIn(db, operatorScope));
  const lately = new Date(moment.getTime() - restMs);
  const isDone = await readEnvironment(db, operatorScope, (tx) => isDoneSince(tx, lastNight(moment), lately));
  if (isDone) return false;
  const planned = await inEnvironment(db, operatorScope, (tx) => insertVerification(tx, nightly));
  if (planned !== undefined) log.info({ verificationId: planned.id }, "the books are verified");
  return planned !== undefined;
}

/** When the present night began, or the last one. */
function lastNight(moment: Date): Date {
  const today = lagosTime(moment);
  const night = today.with({ hour: nightHour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  return new Date((today.hour >= nightHour ? night : night.subtract({ days: 1 })).epochMilliseconds);
}
