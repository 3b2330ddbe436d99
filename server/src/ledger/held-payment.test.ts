import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sum } from "../money/arithmetic.ts";
import { type Kobo, kobo, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { heldAccountId } from "./account.ts";
import { type Hold, legsOfHold, settlePayments } from "./held-payment.ts";
import type { Leg, Posting } from "./post.ts";

const walletId = "01930b6e-7c5a-7e51-9a51-000000000001";
const held = heldAccountId(walletId);
const hold: Hold = {
  walletId,
  total: kobo(10_500n),
  spent: [
    { accountId: "settlement", amount: kobo(10_000n) },
    { accountId: "fees", amount: kobo(500n) },
    { accountId: "stamp-duty", amount: zeroKobo },
  ],
};

/** What each account has after these movements; those with nothing are left out. */
function balances(...movements: readonly (readonly Leg[])[]): Record<string, bigint> {
  const all = new Map<string, bigint>();
  for (const { accountId, amount } of movements.flat()) all.set(accountId, (all.get(accountId) ?? 0n) + amount);
  return Object.fromEntries([...all].filter(([, amount]) => amount !== 0n));
}

describe("what is held", () => {
  test("leaves the wallet, and nobody else has it", () => {
    expect(balances(legsOfHold(hold, "held"))).toEqual({ [walletId]: -10_500n, [held]: 10_500n });
  });

  test("goes to those it was for", () => {
    const after = balances(legsOfHold(hold, "held"), legsOfHold(hold, "spent"));
    expect(after).toEqual({ [walletId]: -10_500n, settlement: 10_000n, fees: 500n });
  });

  test("comes back whole when nothing was done, and when it was undone", () => {
    expect(balances(legsOfHold(hold, "held"), legsOfHold(hold, "failed"))).toEqual({});
    const undone = [legsOfHold(hold, "held"), legsOfHold(hold, "spent"), legsOfHold(hold, "back")];
    expect(balances(...undone)).toEqual({});
  });

  test("no movement has a leg of nothing, which the ledger would refuse", () => {
    for (const end of ["held", "spent", "failed", "back"] as const) {
      expect(legsOfHold(hold, end).every(({ amount }) => amount !== 0n)).toBe(true);
    }
  });

  test("every movement of every hold sums to zero", () => {
    const parts = fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.constantFrom("held", "spent", "failed", "back"), (amounts, end) => {
        const spent = amounts.map((amount, place) => ({ accountId: `account-${place}`, amount: kobo(amount) }));
        const total = sum(spent.map(({ amount }): Kobo => amount));
        expect(sum(legsOfHold({ walletId, total, spent }, end).map(({ amount }) => amount))).toBe(0n);
      }),
    );
  });
});

interface Step {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

describe("the end of payments", () => {
  const tx = {} as Tx;
  const posting = (id: string): Posting => ({
    id,
    kind: "test.ended",
    resource: { type: "test", id, reference: null },
    narration: null,
    legs: [],
  });

  /** Those that are still open, by id. */
  function ending(...open: string[]) {
    const written: string[] = [];
    const kind = settlePayments<Step, { readonly id: string }>({
      name: "test.settle",
      canMove: (from, to) => from === "processing" && to !== "processing",
      move: async (_, steps) => new Map(steps.filter(({ id }) => open.includes(id)).map(({ id }) => [id, { id }])),
      post: (_, payment) => [posting(payment.id), posting(`${payment.id}-fee`)],
      write: async (_, settled) => void written.push(...settled.map(({ payment }) => payment.id)),
    });
    return { kind, written };
  }

  const step = (id: string, to = "completed", from = "processing"): Step => ({ id, from, to });

  test("posts for what was still open, and tells the others that they came too late", async () => {
    const plans = await ending("a").kind.plan(tx, [step("a"), step("b")]);
    expect(plans).toMatchObject([
      { next: "post", posting: { id: "a" }, also: [{ id: "a-fee" }] },
      { next: "answer", output: null },
    ]);
  });

  test("two words about one payment in a batch post once, and the first counts", async () => {
    const plans = await ending("a").kind.plan(tx, [step("a"), step("a", "failed")]);
    expect(plans.map(({ next }) => next)).toEqual(["post", "answer"]);
    expect(plans[0]).toMatchObject({ record: { command: { to: "completed" } } });
  });

  test("a step that the table does not have stops the batch before anything moves", async () => {
    const { kind } = ending("a", "b");
    await expect(kind.plan(tx, [step("a"), step("b", "completed", "failed")])).rejects.toThrow(
      "test.settle: b cannot go from failed to completed",
    );
  });

  test("events are written for what was settled, in its order", async () => {
    const { kind, written } = ending("a", "b");
    const settled = ["b", "a"].map((id) => ({ command: step(id), payment: { id } }));
    expect(await kind.write(tx, settled)).toEqual([{ id: "b" }, { id: "a" }]);
    expect(written).toEqual(["b", "a"]);
  });
});
