import { afterEach } from "vitest";
import { inboundContract, wrongInbound } from "../../../testing/providers/inbound-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { openPaystackInboundBench } from "../../../testing/providers/paystack-inbound-bench.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

keepContract("inbound rails: Paystack", inboundContract, wrongInbound, async () => {
  const bench = await openPaystackInboundBench();
  opened.push(bench.twin.close);
  return bench;
});
