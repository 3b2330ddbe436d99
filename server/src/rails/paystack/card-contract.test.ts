import { afterEach } from "vitest";
import { cardContract, wrongCards } from "../../../testing/providers/card-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { openPaystackCardBench } from "../../../testing/providers/paystack-card-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepContract("card rails: Paystack", cardContract, wrongCards, async () => {
  const bench = await openPaystackCardBench();
  opened.push(bench.twin.close);
  return bench;
});
