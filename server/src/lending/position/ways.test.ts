import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Kobo, kobo } from "../../money/kobo.ts";
import type { MoneyHistory } from "./received-money.ts";
import type { CreditRefund, Repayment, RepaymentChannel } from "./repayment.ts";
import { overdrawnWays, passedBy, sameWay, type Way, wayOf } from "./ways.ts";

const at = new Date("2026-11-02T08:00:00.000Z");

function repayment(id: string, channel: RepaymentChannel, amount: bigint, changes: Partial<Repayment> = {}): Repayment {
  return {
    id,
    accountId: "a",
    number: 1,
    sequence: 1,
    reference: id,
    channel,
    walletId: channel === "card" ? null : "w1",
    amount: kobo(amount),
    recordedAt: at,
    reversedAt: null,
    reversalReason: null,
    ...changes,
  };
}

function refund(way: Way, amount: bigint): CreditRefund {
  const named = { id: "f", accountId: "a", sequence: 9, reference: "f", refundedAt: at };
  return { ...named, ...way, amount: kobo(amount) };
}

const byWallet: Way = { channel: "wallet", walletId: "w1", repaymentId: null };
const byCash: Way = { channel: "cash", walletId: "w1", repaymentId: null };
const byCard = (repaymentId: string | null): Way => ({ channel: "card", walletId: null, repaymentId });
const historyOf = (repayments: readonly Repayment[], refunds: readonly CreditRefund[] = []): MoneyHistory => ({
  repayments,
  reductions: [],
  refunds,
});

describe("the way of a repayment", () => {
  test("is its wallet and channel, and of a card the charge itself", () => {
    expect(wayOf(repayment("r1", "wallet", 100n))).toEqual(byWallet);
    expect(wayOf(repayment("r1", "card", 100n))).toEqual(byCard("r1"));
  });

  test.each<[string, Way, Way, boolean]>([
    ["the same wallet", byWallet, byWallet, true],
    ["another wallet", byWallet, { ...byWallet, walletId: "w2" }, false],
    ["another channel of the wallet", byWallet, byCash, false],
    ["a charge", byCard("r1"), byCard("r1"), true],
    ["another charge", byCard("r1"), byCard("r2"), false],
    ["any charge of a card", byCard("r1"), byCard(null), true],
  ])("and %s", (_, one, other, same) => {
    expect(sameWay(one, other)).toBe(same);
  });
});

describe("what passed by a way", () => {
  test("is what came by it, and went back by it or is promised to", () => {
    const history = historyOf(
      [repayment("r1", "wallet", 500n), repayment("r2", "wallet", 300n), repayment("r3", "cash", 1_000n)],
      [refund(byWallet, 100n), refund(byCash, 7n)],
    );
    const promises = [{ ...byWallet, amount: kobo(50n) }];
    expect(passedBy(history, promises, byWallet)).toEqual({ came: 800n, went: 150n });
    expect(passedBy(history, promises, byCash)).toEqual({ came: 1_000n, went: 7n });
  });

  test("counts no repayment that was reversed: its money is gone already", () => {
    const history = historyOf([repayment("r1", "wallet", 500n, { reversedAt: at, reversalReason: "bounced" })]);
    expect(passedBy(history, [], byWallet)).toEqual({ came: 0n, went: 0n });
  });

  test("of one charge is not what another charge of the card brought", () => {
    const history = historyOf(
      [repayment("r1", "card", 500n), repayment("r2", "card", 300n)],
      [refund(byCard("r2"), 300n)],
    );
    expect(passedBy(history, [], byCard("r1"))).toEqual({ came: 500n, went: 0n });
    expect(passedBy(history, [], byCard("r2"))).toEqual({ came: 300n, went: 300n });
    expect(passedBy(history, [], byCard(null))).toEqual({ came: 800n, went: 300n });
  });
});

describe("a way by which more went back than came", () => {
  test("is found, with what passed", () => {
    const history = historyOf([repayment("r1", "wallet", 500n)], [refund(byWallet, 300n), refund(byWallet, 201n)]);
    expect(overdrawnWays(history)).toEqual([{ ...byWallet, came: 500n, went: 501n }]);
  });

  test("is found also when another way has plenty", () => {
    const history = historyOf([repayment("r1", "wallet", 50_000n)], [refund(byCash, 1n)]);
    expect(overdrawnWays(history)).toMatchObject([{ channel: "cash", came: 0n, went: 1n }]);
  });

  test("is found when the charge that was refunded is taken back as well", () => {
    const taken = repayment("r1", "card", 500n, { reversedAt: at, reversalReason: "chargeback" });
    expect(overdrawnWays(historyOf([taken], [refund(byCard("r1"), 500n)]))).toHaveLength(1);
  });

  test("is none while every refund goes back where its money came from", () => {
    const exact = historyOf([repayment("r1", "card", 500n)], [refund(byCard("r1"), 500n)]);
    expect(overdrawnWays(exact)).toEqual([]);
    expect(overdrawnWays(historyOf([]))).toEqual([]);
  });

  test("is told exactly when the sums of a way say so", () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000n });
    const wallet = fc.constantFrom("w1", "w2");
    const channel = fc.constantFrom<RepaymentChannel>("wallet", "cash", "bank_transfer");
    const entry = fc.record({ amount, walletId: wallet, channel, reversed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.array(entry, { maxLength: 8 }), (came, went) => {
        const history = historyOf(
          came.map((each, place) =>
            repayment(`r${place}`, each.channel, each.amount, {
              walletId: each.walletId,
              reversedAt: each.reversed ? at : null,
            }),
          ),
          went.map((each) =>
            refund({ channel: each.channel, walletId: each.walletId, repaymentId: null }, each.amount),
          ),
        );
        const balances = new Map<string, bigint>();
        const book = (key: string, by: bigint) => balances.set(key, (balances.get(key) ?? 0n) + by);
        for (const each of came) if (!each.reversed) book(`${each.channel}/${each.walletId}`, each.amount);
        for (const each of went) book(`${each.channel}/${each.walletId}`, -each.amount);
        const short = [...balances].filter(([, balance]) => balance < 0n).map(([key]) => key);
        const found = overdrawnWays(history).map((way) => `${way.channel}/${way.walletId}`);
        expect(found.sort()).toEqual(short.sort());
      }),
    );
  });
});

test("promises count before they are booked, so that the same credit is not promised twice", () => {
  const history = historyOf([repayment("r1", "card", 1_000n)]);
  const left = (promised: readonly Kobo[]): bigint => {
    const promises = promised.map((amount) => ({ ...byCard("r1"), amount }));
    const { came, went } = passedBy(history, promises, byCard("r1"));
    return came - went;
  };
  expect(left([])).toBe(1_000n);
  expect(left([kobo(600n)])).toBe(400n);
  expect(left([kobo(600n), kobo(400n)])).toBe(0n);
});
