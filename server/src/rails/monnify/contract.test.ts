import { afterEach } from "vitest";
import { bankContract, wrongBanks } from "../../../testing/providers/bank-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { openMonnifyBench } from "../../../testing/providers/monnify-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepContract("bank rails: Monnify", bankContract, wrongBanks, async () => {
  const bench = await openMonnifyBench();
  opened.push(bench.twin.close);
  return bench;
});
