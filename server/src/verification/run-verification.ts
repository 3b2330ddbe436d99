/** One verification, from its claim to what it writes, at a pace that leaves the database to the payments. */
import { setTimeout as pause } from "node:timers/promises";
import { type Database, inEnvironment, operatorScope, type Tx } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { DomainLoop } from "../platform/work/background-loop.ts";
import { type Contradiction, mostKept } from "./verification.ts";
import {
  type ClaimedVerification,
  claimVerification,
  endVerification,
  failVerification,
  keepVerification,
} from "./verification-store.ts";
import { type BookChecks, verifyBooks } from "./verify-books.ts";

export interface VerificationDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly bookChecks: BookChecks;
}

/** Longer than a statement may take, so that a worker that lives never loses what it has. */
const leaseMs = 45 * 60_000;
const statementMs = 20 * 60_000;
/** After each environment it rests so many times as long as that took, up to a limit: even a long night has to end. */
const restTimes = 4;
const longestRestMs = 10_000;
const mostTries = 3;

const idleMs = 1_000;

/** Another worker has it by now. */
class LostVerification extends Error {
  override readonly name = "LostVerification";
}

/** A loop that takes up what waits. A worker that is stopped does not wait for it, but gives it back. */
export function createVerifier(deps: VerificationDependencies): Omit<Required<DomainLoop>, "name"> {
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;
  return {
    step: async () => {
      if (underWay !== undefined || stopping.signal.aborted) return idleMs;
      const claimed = await inEnvironment(deps.db, operatorScope, (tx) => claimVerification(tx, leaseMs));
      if (claimed === undefined) return idleMs;
      underWay = finish(deps, claimed, stopping.signal).finally(() => {
        underWay = undefined;
      });
      return 0;
    },
    drain: async () => underWay,
    close: async () => {
      stopping.abort();
      await underWay;
    },
  };
}

/** Never throws: what it cannot write down now, the end of the lease says. */
async function finish(
  deps: VerificationDependencies,
  claimed: ClaimedVerification,
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = deps;
  const write = (work: (tx: Tx) => Promise<unknown>) => inEnvironment(db, operatorScope, work);
  try {
    await verify(deps, claimed, signal);
  } catch (error) {
    if (error instanceof LostVerification) return;
    const about = { err: error, verificationId: claimed.id };
    if (!signal.aborted) log.error(about, "the books could not be verified");
    const isOver = !signal.aborted && claimed.tries >= mostTries;
    const giveBackMs = signal.aborted ? 0 : retryMs;
    await write((tx) =>
      isOver ? failVerification(tx, claimed, brokeOff) : keepVerification(tx, claimed, none, giveBackMs),
    ).catch((err: unknown) => log.warn({ ...about, err }, "that a verification broke off could not be written down"));
  }
}

async function verify(
  { db, log, bookChecks }: VerificationDependencies,
  claimed: ClaimedVerification,
  signal: AbortSignal,
): Promise<void> {
  const found: Contradiction[] = [];
  const tally = await verifyBooks(db, bookChecks, {
    statementMs,
    signal,
    onFound: (contradiction) => {
      if (found.length < mostKept) found.push(contradiction);
      log.error({ verificationId: claimed.id, ...contradiction }, "the books contradict themselves");
    },
    onStep: async (soFar, tookMs) => {
      const kept = await inEnvironment(db, operatorScope, (tx) => keepVerification(tx, claimed, soFar, leaseMs));
      if (!kept) throw new LostVerification();
      await pause(Math.min(tookMs * restTimes, longestRestMs), undefined, { signal });
    },
  });
  await inEnvironment(db, operatorScope, (tx) => endVerification(tx, claimed, tally, found));
  log.info({ verificationId: claimed.id, ...tally }, "the books were verified");
}

/** Whatever broke it off may be over in a minute. */
const retryMs = 60_000;
const brokeOff = `It broke off ${mostTries} times. The log of the workers says why.`;
const none = { environments: 0, checks: 0, contradictions: 0 };
