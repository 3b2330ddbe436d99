import { describe, expect, test } from "vitest";
import { type Candidate, placeCredit } from "./inbound-credit.ts";
import { nextWindow, sweepPlan } from "./sweep-credits.job.ts";

const mine = { environmentId: "e1", walletId: "w1" };
const theirs = { environmentId: "e2", walletId: "w2" };
const fits = (number: boolean, holder: boolean, place = mine, sameConnection = true): Candidate => ({
  ...place,
  sameConnection,
  numberFits: number,
  holderFits: holder,
});
const both = { accountNumber: "9930000020", holderReference: "CUS_1" };
const numberOnly = { ...both, holderReference: null };
const holderOnly = { ...both, accountNumber: null };
const neither = { accountNumber: null, holderReference: null };

describe("whose a credit is", () => {
  test.each([
    ["both keys name one wallet", both, [fits(true, true)], mine],
    ["the number alone is told", numberOnly, [fits(true, false)], mine],
    ["the holder alone is told", holderOnly, [fits(false, true)], mine],
    ["nobody has either", both, [], "unknown_account"],
    ["nothing is told", neither, [], "unknown_account"],
    ["the number is ours, the holder is not", both, [fits(true, false)], "keys_disagree"],
    ["the holder is ours, the number is not", both, [fits(false, true)], "keys_disagree"],
    ["number and holder are two wallets'", both, [fits(true, false), fits(false, true, theirs)], "keys_disagree"],
    ["both keys, on a connection that was made again", both, [fits(true, true, mine, false)], mine],
    ["one key, on another connection", numberOnly, [fits(true, false, mine, false)], "keys_disagree"],
    ["one key, on both", numberOnly, [fits(true, false, theirs, false), fits(true, false)], mine],
    ["both keys, on both", both, [fits(true, true, theirs, false), fits(true, true)], mine],
    [
      "both keys, on two other connections, of two wallets",
      both,
      [fits(true, true, theirs, false), fits(true, true, mine, false)],
      "keys_disagree",
    ],
    ["both keys, twice of one wallet", both, [fits(true, true, mine, false), fits(true, true, mine, false)], mine],
  ])("%s", (_, credit, candidates, expected) => expect(placeCredit(credit, candidates)).toEqual(expected));
});

describe("what is read next of a provider's list", () => {
  const now = new Date("2026-11-16T12:00:00Z");
  const before = (ms: number) => new Date(now.getTime() - ms);
  const { everyMs, windowMs, overlapMs, lookBackMs, lookBackEveryMs } = sweepPlan;

  test("nothing while it is fresh", () => {
    expect(nextWindow({ sweptTo: before(everyMs - 1), lookedBackAt: now }, now)).toBeUndefined();
  });

  test("from a little before the mark, up to now", () => {
    const sweptTo = before(everyMs);
    const next = nextWindow({ sweptTo, lookedBackAt: before(lookBackEveryMs - 1) }, now);
    expect(next).toMatchObject({ from: before(everyMs + overlapMs), to: now, mark: { sweptTo: now } });
  });

  test("once an hour from long before it", () => {
    const next = nextWindow({ sweptTo: before(everyMs), lookedBackAt: before(lookBackEveryMs) }, now);
    expect(next).toMatchObject({ from: before(everyMs + lookBackMs), mark: { sweptTo: now, lookedBackAt: now } });
  });

  test("after an outage window by window, each beginning where the last ended, until all is read", () => {
    const began = before(100 * 3_600_000);
    let mark = { sweptTo: began, lookedBackAt: now };
    let windows = 0;
    for (let next = nextWindow(mark, now); next !== undefined; next = nextWindow(mark, now)) {
      expect(next.from.getTime()).toBeLessThan(mark.sweptTo.getTime());
      expect(next.to.getTime() - mark.sweptTo.getTime()).toBeLessThanOrEqual(windowMs);
      mark = { ...next.mark };
      windows += 1;
    }
    expect([mark.sweptTo, windows]).toEqual([now, 17]);
  });
});
