/** Asks about the orders that providers' webhooks named. The webhook itself was answered long before. */
import { type Database, inEnvironment, operatorScope } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/logger.ts";
import type { HintTakers } from "../ask-about-order.ts";
import { claimHints, endHint, forgetHints, type StoredHint } from "./hint-store.ts";

export interface HintDependencies {
  readonly db: Database;
  readonly log: Logger;
  readonly hintTakers: HintTakers;
}

const atOnce = 20;
const idleMs = 500;
const mostTries = 10;

/** Returns how long to rest before the next round. */
export async function takeHints(deps: HintDependencies): Promise<number> {
  const claimed = await inEnvironment(deps.db, operatorScope, (tx) => claimHints(tx, atOnce));
  await Promise.all(claimed.map((hint) => takeHint(deps, hint)));
  return claimed.length === atOnce ? 0 : idleMs;
}

async function takeHint({ db, log, hintTakers }: HintDependencies, hint: StoredHint): Promise<void> {
  const { id, connectionId, port, orderId, event, tries } = hint;
  const about = { connectionId, port, orderId, event };
  try {
    const outcome = (await hintTakers[port]?.(connectionId, orderId)) ?? "not_ours";
    if (outcome === "disagrees") log.error(about, "a provider says otherwise than our books");
    await inEnvironment(db, operatorScope, (tx) => endHint(tx, id, outcome));
  } catch (error) {
    log.warn({ ...about, err: error, tries }, "a provider's hint could not be followed and will be again");
    if (tries >= mostTries) await inEnvironment(db, operatorScope, (tx) => endHint(tx, id, "given_up"));
  }
}

export function forgetOldHints({ db }: Pick<HintDependencies, "db">): Promise<void> {
  return inEnvironment(db, operatorScope, forgetHints);
}
