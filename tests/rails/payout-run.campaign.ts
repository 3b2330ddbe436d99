import { afterEach, describe, expect, test } from "vitest";
import { wrongBanks } from "../../server/testing/providers/bank-contract.ts";
import { openMonnifyBench } from "../../server/testing/providers/monnify-bench.ts";
import { type PayoutBench, runPayouts } from "../../server/testing/providers/payout-run.ts";
import { openPaystackBench } from "../../server/testing/providers/paystack-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function open(name: "Paystack" | "Monnify"): Promise<PayoutBench> {
  const bench = name === "Paystack" ? await openPaystackBench() : await openMonnifyBench();
  opened.push(bench.twin.close);
  return bench;
}

describe.each(["Paystack", "Monnify"] as const)("payouts while %s misbehaves in 30 of 100 calls", (name) => {
  test("agree to the kobo, and none is paid twice", async () => {
    const run = await runPayouts(await open(name), { orders: 500, seed: 20_261_116, share: 0.3 });
    expect(run.differences).toEqual([]);
    expect(run.ours).toBe(run.theirs);
    expect(Object.keys(run.outcomes).sort()).toEqual(["failure", "success", "taken_back"]);
    expect(run.faults / run.calls).toBeGreaterThan(0.25);
    expect(run.sentAgain).toBeGreaterThan(20);
  });

  test.each(["unknown for failed", "everything for a success", "every order for a new one"])(
    "do not agree when a rail takes %s",
    async (mistake) => {
      const bench = await open(name);
      const rail = wrongBanks[mistake]?.(bench.rail) ?? bench.rail;
      const run = await runPayouts({ ...bench, rail }, { orders: 20, seed: 20_261_116, share: 0.3 });
      expect(run.differences).not.toEqual([]);
    },
    60_000,
  );
});
