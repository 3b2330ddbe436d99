/**
 * Many small pieces of work become possible at the same moment: the replies of a batch, its webhooks. Done in one turn
 * of the event loop they would keep it for tens of milliseconds, while what the database has said meanwhile, and the
 * next batch that waits for it, stand still. So a turn does a few of them.
 */
const piecesATurn = 16;

/** Resolves when the caller may do one piece: now while this turn has done few, else in the order of asking. */
export type ShortTurns = () => Promise<void>;

export function createShortTurns(atOnce = piecesATurn): ShortTurns {
  const waiting: (() => void)[] = [];
  let done = 0;

  function begin(): void {
    const now = waiting.splice(0, atOnce);
    done = now.length;
    if (done > 0) setImmediate(begin);
    for (const go of now) go();
  }

  return () => {
    if (done === 0) setImmediate(begin);
    if (done < atOnce) {
      done += 1;
      return Promise.resolve();
    }
    return new Promise((go) => {
      waiting.push(go);
    });
  };
}
