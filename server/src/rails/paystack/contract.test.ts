import { afterEach } from "vitest";
import { bankContract, wrongBanks } from "../../../testing/providers/bank-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { openPaystackBench } from "../../../testing/providers/paystack-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepContract("bank rails: Paystack", bankContract, wrongBanks, async () => {
  const bench = await openPaystackBench();
  opened.push(bench.twin.close);
  return bench;
});
