/**
 * `npm run test:rails -- --orders 10000 --seed 1 --share 0.3`: payouts through each adapter while its provider's twin
 * misbehaves, and whether both sides' books agree in the end.
 */
import { parseArgs } from "node:util";
import { openMonnifyBench } from "../../server/testing/providers/monnify-bench.ts";
import { runPayouts } from "../../server/testing/providers/payout-run.ts";
import { openPaystackBench } from "../../server/testing/providers/paystack-bench.ts";

const names = ["orders", "seed", "share"] as const;
const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])) });
const options = {
  orders: Number(values.orders ?? 10_000),
  seed: Number(values.seed ?? 20_261_116),
  share: Number(values.share ?? 0.3),
};

for (const [name, open] of [
  ["Paystack", openPaystackBench],
  ["Monnify", openMonnifyBench],
] as const) {
  const bench = await open();
  const began = performance.now();
  const run = await runPayouts(bench, options);
  await bench.twin.close();
  const seconds = Math.round((performance.now() - began) / 1_000);
  const outcomes = Object.entries(run.outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  console.log(`${name}: ${run.orders} payouts, ${run.calls} calls, ${run.faults} of them misbehaved, ${seconds} s`);
  console.log(`  ${outcomes.join(", ")}; ${run.sentAgain} sent again; ours ${run.ours}, theirs ${run.theirs} kobo`);
  for (const difference of run.differences.slice(0, 20)) console.log(`  ${difference}`);
  if (run.differences.length > 0) process.exitCode = 1;
}
