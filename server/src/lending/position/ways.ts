/**
 * The ways by which money comes to a loan and goes back: each wallet by each channel, each charge of a card. By no way
 * does more go back than came, whether as a refund of credit or because a repayment is reversed: what a refund gave to
 * a wallet must not go to it again, and a refunded charge must not be taken back as well. What the merchant refunded of
 * the order came by no way: it is owed to the borrower. Since refunds of the order never exceed the amount lent, credit
 * never exceeds what the borrower has paid, and all of it can go back the way it came.
 */
import { subtract, sum } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { MoneyHistory } from "./received-money.ts";
import type { Repayment, RepaymentChannel } from "./repayment.ts";

export interface Way {
  readonly channel: RepaymentChannel;
  /** The merchant's wallet; null for a card, and for cash and bank transfers from before wallets stood for them. */
  readonly walletId: string | null;
  /** What the charge has paid; null for channels other than card. */
  readonly repaymentId: string | null;
}

/** Money that somebody has promised to give back and not booked yet: it counts as gone. */
export interface PromisedRefund extends Way {
  readonly amount: Kobo;
}

export function wayOf({ id, channel, walletId }: Repayment): Way {
  return { channel, walletId, repaymentId: channel === "card" ? id : null };
}

export interface Passed {
  /** By repayments that stand. */
  readonly came: Kobo;
  /** By refunds of credit, made or promised. */
  readonly went: Kobo;
}

/** With a card and no charge named, all of its charges are the way. */
export function sameWay(one: Way, { channel, walletId, repaymentId }: Way): boolean {
  return (
    one.channel === channel && one.walletId === walletId && (repaymentId === null || one.repaymentId === repaymentId)
  );
}

/** What passed by a way. */
export function passedBy({ repayments, refunds }: MoneyHistory, promises: readonly PromisedRefund[], way: Way): Passed {
  const isSame = (other: Way): boolean => sameWay(other, way);
  const standing = repayments.filter(({ reversedAt }) => reversedAt === null);
  const came = standing.filter((repayment) => isSame(wayOf(repayment)));
  const went: readonly (Way & { readonly amount: Kobo })[] = [...refunds, ...promises].filter(isSame);
  return { came: sum(came.map(({ amount }) => amount)), went: sum(went.map(({ amount }) => amount)) };
}

/** The ways by which more went back than came: a history that cannot be. */
export function overdrawnWays(history: MoneyHistory): (Way & Passed)[] {
  const ways = new Map<string, Way>();
  const note = ({ channel, walletId, repaymentId }: Way): void => {
    ways.set(`${channel}/${walletId}/${repaymentId}`, { channel, walletId, repaymentId });
  };
  for (const refund of history.refunds) note(refund);
  return [...ways.values()]
    .map((way) => ({ ...way, ...passedBy(history, [], way) }))
    .filter(({ came, went }) => subtract(came, went) < 0n);
}
