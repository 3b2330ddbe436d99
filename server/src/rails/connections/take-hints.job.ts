/** Asks about the orders that providers' webhooks named. The webhook itself was answered long before. */
import { type Database, inEnvironment, operatorScope } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { HintOutcome, HintTakers } from "../ask-about-order.ts";
import { delayAfter } from "../pursue-order.ts";
import { type ClaimedHint, claimHints, endHint, forgetHints, postponeHint } from "./hint-store.ts";

export interface HintDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly hintTakers: HintTakers;
}

const atOnce = 20;
const idleMs = 500;
/** By then half an hour has gone by. */
const mostTries = 10;

/** Returns how long to rest before the next round. */
export async function takeHints(deps: HintDependencies): Promise<number> {
  const claimed = await inEnvironment(deps.db, operatorScope, (tx) => claimHints(tx, atOnce));
  await Promise.all(claimed.map((hint) => takeHint(deps, hint)));
  return claimed.length === atOnce ? 0 : idleMs;
}

async function takeHint({ db, log, hintTakers }: HintDependencies, hint: ClaimedHint): Promise<void> {
  const { connectionId, port, orderId, event, tries } = hint;
  const about = { connectionId, port, orderId, event };
  const outcome = await followHint(hintTakers, hint).catch((error: unknown) => {
    log.warn({ ...about, err: error, tries }, "a provider's hint could not be followed");
    return "unanswered" as const;
  });
  const isGivenUp = outcome === "unanswered" && tries >= mostTries;
  if (isGivenUp) log.error({ ...about, tries }, "nobody could say what a provider's hint is about: ask the provider");
  if (outcome === "disagrees") log.error(about, "a provider says otherwise than our books");
  await inEnvironment(db, operatorScope, (tx) => {
    if (outcome !== "unanswered") return endHint(tx, hint, outcome);
    return isGivenUp ? endHint(tx, hint, "given_up") : postponeHint(tx, hint, delayAfter(tries));
  });
}

async function followHint(hintTakers: HintTakers, { port, connectionId, orderId }: ClaimedHint): Promise<HintOutcome> {
  return (await hintTakers[port]?.(connectionId, orderId)) ?? "not_ours";
}

export function forgetOldHints({ db }: Pick<HintDependencies, "db">): Promise<void> {
  return inEnvironment(db, operatorScope, forgetHints);
}
