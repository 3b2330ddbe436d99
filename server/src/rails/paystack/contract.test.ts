import { afterEach } from "vitest";
import { keepBankContract } from "../../../testing/providers/keep-bank-contract.ts";
import { openPaystackBench } from "../../../testing/providers/paystack-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepBankContract("Paystack", async () => {
  const bench = await openPaystackBench();
  opened.push(bench.twin.close);
  return bench;
});
