/**
 * A thief who has a card's number guesses at the rest, each time as another customer. The network tells which card it
 * refused only with its answer, so that is the moment to count: a card that was refused a few times, to any customer,
 * is refused by us until a wait is over, also when the guess was right. Tries in that time count for the link and the
 * person alone.
 */
import type { Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { Unknown } from "../../rails/answer.ts";
import type { CardLinkAnswer, PageLeft } from "../../rails/card.ts";
import { mostDeclines } from "./card-link.ts";
import { waitAfterDeclines } from "./charge.ts";
import { insertRefusal, lockRefusals } from "./refused-card-store.ts";

export type LinkVerdict = Exclude<CardLinkAnswer, Unknown | PageLeft>;

const countedForMs = 24 * 60 * 60_000;
const minuteMs = 60_000;

/** The network's answer, or a refusal in its place. */
export async function judgeLinkAnswer(
  tx: Tx,
  sealer: Sealer,
  attemptId: string,
  answer: LinkVerdict,
): Promise<LinkVerdict> {
  const fingerprint = (answer.outcome === "linked" ? answer.card.fingerprint : answer.fingerprint) ?? null;
  if (fingerprint === null) return answer;
  const now = tx.environment.clock.now();
  const since = new Date(now.getTime() - countedForMs);
  const { count, lastAt } = await lockRefusals(tx, sealer, fingerprint, since);
  // Who mistypes may try again at once, as often as one link allows.
  const waits = count < mostDeclines ? 0 : waitAfterDeclines(count - mostDeclines + 1);
  const leftMs = (lastAt?.getTime() ?? 0) + waits - now.getTime();
  if (waits > 0 && leftMs > 0) return tooOften(Math.ceil(leftMs / minuteMs));
  if (answer.outcome === "declined") await insertRefusal(tx, sealer, attemptId, fingerprint);
  return answer;
}

function tooOften(minutes: number): LinkVerdict {
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  const message = `This card was refused too often. Use another card, or try this one again in ${wait}.`;
  return { outcome: "declined", code: "card_refused_too_often", message };
}
