/**
 * Books what a provider took in, once: record, postings, the statement's line and the event are one transaction. It
 * starts in the operator's scope, because nobody knows whose a credit is before it was looked at.
 */
import { systemAccountId } from "../ledger/account.ts";
import { openSystemAccounts } from "../ledger/open-accounts.ts";
import { type Posting, post } from "../ledger/post.ts";
import { negate } from "../money/arithmetic.ts";
import {
  type Database,
  inEnvironment,
  operatorScope,
  type Tx,
  visitEnvironment,
} from "../platform/database/database.ts";
import { takePositions } from "../platform/records/pagination.ts";
import type { InboundCredit } from "../rails/inbound.ts";
import type { ConnectionMode } from "../rails/provider.ts";
import { judgeCredit } from "./apply-ceiling.ts";
import { credit as creditWallet, newMovement } from "./credit-wallet.ts";
import {
  creditResource,
  feePosting,
  operatorAccounts,
  placeCredit,
  type StoredCredit,
  type SuspenseReason,
  type WalletPlace,
} from "./inbound-credit.ts";
import {
  type CountedPlace,
  findCandidates,
  findCredit,
  insertCredit,
  isSessionSeen,
  listCredit,
} from "./inbound-credit-store.ts";
import { movementResource } from "./movement.ts";

/** Which account of ours at which provider took the money in. */
export interface Taker {
  readonly connectionId: string;
  readonly provider: string;
  readonly mode: ConnectionMode;
}

export type Booked =
  | { readonly was: "new"; readonly state: StoredCredit["state"]; readonly reason: SuspenseReason | null }
  /** It was booked before, and says the same. */
  | { readonly was: "known" }
  /** It was booked before with another amount or currency: only people can tell why. */
  | { readonly was: "different" };

export function bookInboundCredit(db: Database, taker: Taker, credit: InboundCredit): Promise<Booked> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const known = await findCredit(tx, { ...taker, transactionId: credit.transactionId });
    if (known !== undefined) return compare(known, credit);
    return (await bookNew(tx, taker, credit)) ?? compareAgain(tx, taker, credit);
  });
}

/** Undefined when a twin booked it meanwhile. */
async function bookNew(tx: Tx, taker: Taker, credit: InboundCredit): Promise<Booked | undefined> {
  const place = await findPlace(tx, taker, credit);
  const id = tx.environment.clock.newId();
  if (typeof place !== "string") {
    const booked = { ...place, movementId: tx.environment.clock.newId() };
    if (!(await insertCredit(tx, { ...taker, id, state: "credited", reason: null, credit, booked }))) return undefined;
    await bookToWallet(tx, credit, booked, "with fee");
    return { was: "new", state: "credited", reason: null };
  }
  const state = place === "foreign_currency" ? "foreign_currency" : "open";
  if (!(await insertCredit(tx, { ...taker, id, state, reason: place, credit, booked: null }))) return undefined;
  await listCredit(tx, id, await takePositions(tx, suspenseList, 1));
  if (state === "open") await bookToSuspense(tx, taker.mode, id, credit);
  return { was: "new", state, reason: place };
}

/** The list of what was set aside. */
const suspenseList = "suspense";

async function findPlace(tx: Tx, taker: Taker, credit: InboundCredit): Promise<CountedPlace | SuspenseReason> {
  if (credit.currency !== "NGN") return "foreign_currency";
  const { networkSessionId } = credit;
  if (networkSessionId !== null && (await isSessionSeen(tx, networkSessionId))) return "session_seen";
  const place = placeCredit(credit, await findCandidates(tx, taker.connectionId, credit));
  if (typeof place === "string") return place;
  const judged = await judgeCredit(tx, place.walletId, credit.amount);
  return typeof judged === "string" ? judged : { ...place, ...judged };
}

function compare(known: StoredCredit, { amount, fee, currency }: InboundCredit): Booked {
  const isSame = known.amount === amount && known.fee === fee && known.currency === currency;
  return { was: isSame ? "known" : "different" };
}

async function compareAgain(tx: Tx, taker: Taker, credit: InboundCredit): Promise<Booked> {
  const known = await findCredit(tx, { ...taker, transactionId: credit.transactionId });
  if (known === undefined) throw new Error("a credit that is there cannot be read");
  return compare(known, credit);
}

/** Gross to the wallet; what the provider kept is a posting of its own, at the operator's expense. */
export async function bookToWallet(
  tx: Tx,
  { amount, fee, senderName }: Pick<InboundCredit, "amount" | "fee" | "senderName">,
  { environmentId, walletId, movementId }: WalletPlace & { readonly movementId: string },
  manner: "with fee" | "gross only",
): Promise<void> {
  const work = async (inside: Tx): Promise<void> => {
    const movement = { ...newMovement(inside), id: movementId, kind: "inbound_credit", to: walletId } as const;
    await creditWallet(inside, { ...movement, amount, senderName }, "inbound_clearing");
    if (manner === "gross only" || fee === 0n) return;
    const resource = { type: movementResource, id: movementId, reference: null };
    const accounts = { clearing: "inbound_clearing", costs: "inbound_costs" };
    await post(
      inside,
      feePosting(environmentId, accounts, { id: inside.environment.clock.newId(), amount: fee, resource }),
    );
  };
  await visitEnvironment(tx, environmentId, work, "in order");
}

async function bookToSuspense(
  tx: Tx,
  mode: ConnectionMode,
  id: string,
  { amount, fee }: Pick<InboundCredit, "amount" | "fee">,
): Promise<void> {
  const accounts = operatorAccounts(mode);
  await openSystemAccounts(tx, Object.values(accounts));
  const resource = { type: creditResource, id, reference: null };
  await post(tx, suspensePosting(mode, { id, kind: "suspense.received", amount, resource }));
  if (fee === 0n) return;
  await post(tx, feePosting(operatorScope, accounts, { id: tx.environment.clock.newId(), amount: fee, resource }));
}

/** Into suspense, or with a negative amount out of it again. */
export function suspensePosting(
  mode: ConnectionMode,
  { id, kind, amount, resource }: Pick<Posting, "id" | "kind" | "resource"> & Pick<InboundCredit, "amount">,
): Posting {
  const { clearing, suspense } = operatorAccounts(mode);
  return {
    id,
    kind,
    resource,
    narration: null,
    legs: [
      { accountId: systemAccountId(operatorScope, clearing), amount: negate(amount) },
      { accountId: systemAccountId(operatorScope, suspense), amount },
    ],
  };
}
