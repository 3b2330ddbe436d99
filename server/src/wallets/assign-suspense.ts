/** Money in suspense goes to a wallet: an operator says whose it is, or the wallet has been opened since. */
import { post } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import { nairaString } from "../money/kobo.ts";
import {
  type Database,
  inEnvironment,
  operatorScope,
  readEnvironment,
  type Tx,
  visitEnvironment,
} from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { judgeCredit } from "./apply-ceiling.ts";
import { bookToWallet, suspensePosting } from "./book-inbound-credit.ts";
import { walletProblem } from "./errors.ts";
import { creditResource, placeCredit, type StoredCredit } from "./inbound-credit.ts";
import {
  type CountedPlace,
  findCandidates,
  listWaiting,
  lockCredit,
  markAboveCeiling,
  markAssigned,
} from "./inbound-credit-store.ts";
import { findWalletEnvironment } from "./wallet-store.ts";

export interface Assignment {
  readonly id: string;
  readonly accountId: string;
  readonly reason: string;
  readonly origin: Origin;
}

/** Works from the operator's scope. The same account again changes nothing. */
export async function assignSuspense(
  tx: Tx,
  { id, accountId, reason, origin }: Assignment,
): Promise<{ readonly credit: StoredCredit; readonly replayed: boolean }> {
  const found = await lockCredit(tx, id);
  if (found === undefined || found.state === "credited") throw walletProblem("suspense_not_found");
  if (found.state === "assigned") {
    const wallet = found.wallet?.walletId;
    if (wallet === accountId.toLowerCase()) return { credit: found, replayed: true };
    throw walletProblem("suspense_assigned", { data: { accountId: wallet ?? "" } });
  }
  if (found.state === "foreign_currency")
    throw walletProblem("suspense_currency", { data: { currency: found.currency } });
  const environmentId = isUuid(accountId) ? await findWalletEnvironment(tx, accountId) : undefined;
  if (environmentId === undefined) throw walletProblem("wallet_not_found", { message: "No wallet has this id." });
  await requireSameMode(tx, found, environmentId);
  const place = { environmentId, walletId: accountId.toLowerCase(), countedOn: null };
  const movementId = await moveOut(tx, found, place);
  await recordAudit(tx, origin, {
    action: "suspense.assign",
    subjectType: "suspense",
    subjectId: id,
    environmentId,
    detail: { accountId, amount: nairaString(found.amount), reason, transactionId: found.transactionId, movementId },
  });
  const credit = await lockCredit(tx, id);
  if (credit === undefined) throw new Error(`suspense ${id} is gone`);
  return { credit, replayed: false };
}

/** Real money never goes to a sandbox, and test money never to a live wallet. */
async function requireSameMode(tx: Tx, { mode }: StoredCredit, environmentId: string): Promise<void> {
  const kind = await visitEnvironment(tx, environmentId, async (inside) => inside.environment.kind);
  if (kind !== (mode === "live" ? "LIVE" : "SANDBOX")) throw walletProblem("suspense_mode_mismatch");
}

/** The operator's fee was booked when the money came. The caller holds the lock on the credit, which is open. */
async function moveOut(tx: Tx, credit: StoredCredit, place: CountedPlace): Promise<string> {
  const { id, mode, amount } = credit;
  const movementId = tx.environment.clock.newId();
  if (!(await markAssigned(tx, id, { ...place, movementId }))) throw new Error(`suspense ${id} is not open`);
  const resource = { type: creditResource, id, reference: null };
  const posting = { id: tx.environment.clock.newId(), kind: "suspense.assigned", amount: negate(amount), resource };
  await post(tx, suspensePosting(mode, posting));
  await bookToWallet(tx, credit, { ...place, movementId }, "gross only");
  return movementId;
}

const atOnce = 200;

/** Money may come before we know of the number that it was paid to. Returns how many found their wallet. */
export async function placeWaiting(db: Database): Promise<number> {
  let placed = 0;
  for (let after = 0n; ; ) {
    const from = after;
    const waiting = await readEnvironment(db, operatorScope, (tx) => listWaiting(tx, from, atOnce));
    for (const { credit } of waiting) if (await placeOne(db, credit)) placed += 1;
    const last = waiting.at(-1);
    if (last === undefined) return placed;
    after = last.position;
  }
}

function placeOne(db: Database, { id, connectionId, ...keys }: StoredCredit): Promise<boolean> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const place = placeCredit(keys, await findCandidates(tx, connectionId, keys));
    if (typeof place === "string") return false;
    const found = await lockCredit(tx, id);
    if (found?.state !== "open") return false;
    const judged = await judgeCredit(tx, place.walletId, found.amount);
    if (typeof judged === "string") {
      await markAboveCeiling(tx, id, judged);
      return false;
    }
    await moveOut(tx, found, { ...place, ...judged });
    return true;
  });
}
