/**
 * How fast payouts are accepted in a live environment whose bank is Paystack's twin, against a sandbox, in one run.
 * Both name the account by an enquiry made before, as an integrator does who has shown the name to a person: what is
 * measured is our own work, not a provider's. Rounds change over between the two. No worker runs.
 */
import { startPaystackTwin } from "../server/testing/providers/paystack-twin.ts";
import { openLive } from "../tests/crash/open-live.ts";
import { endRun } from "./end-run.ts";
import { type LoadResult, load, requestBytes } from "./load.ts";
import { apiAt, createPayer, readOperatorToken } from "./payers.ts";
import { type Leg, median } from "./report.ts";
import { openStage } from "./stage.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 4);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const connections = 64;

let counter = 0;

async function accept(port: number, key: string): Promise<LoadResult> {
  const enquiry = await fetch(`http://127.0.0.1:${port}/transfers/name-enquiry?bankCode=058&accountNumber=0123456789`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { nameEnquiryReference } = ((await enquiry.json()) as { data: { nameEnquiryReference: string } }).data;
  const payee = { accountNumber: "0123456789", bankCode: "058", currency: "NGN", amount: 150, nameEnquiryReference };
  const next = (): Buffer => {
    counter += 1;
    const body = JSON.stringify({ ...payee, narration: "Salary November", reference: `live-bench-${counter}` });
    return requestBytes("POST", "/transfers", key, body);
  };
  const result = await load({ port, connections, seconds, next });
  if (result.statuses["201"] !== result.requests) throw new Error(`unexpected: ${JSON.stringify(result.statuses)}`);
  return result;
}

export async function benchLive(): Promise<void> {
  const stage = await openStage();
  const twin = await startPaystackTwin();
  try {
    const operatorToken = readOperatorToken(stage.home);
    const sandbox = await createPayer(apiAt(stage.port), operatorToken, 1);
    const live = await openLive(`http://127.0.0.1:${stage.port}`, operatorToken, twin.url);
    const legs = [
      { name: "sandbox, simulated bank", key: sandbox.key, values: [] as number[] },
      { name: "live, Paystack's twin", key: live.key, values: [] as number[] },
    ];
    for (const { key } of legs) await accept(stage.port, key); // warms caches and compilers
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      for (const leg of round % 2 === 0 ? legs.toReversed() : legs) {
        leg.values.push((await accept(stage.port, leg.key)).perSecond);
      }
      const [simulated = 0, paystack = 0] = legs.map(({ values }) => values.at(-1));
      ratios.push(paystack / simulated);
    }
    const shown: Leg[] = legs.map(({ name, values }) => ({ name, unit: "payouts/s", values }));
    const goals = [{ name: "accepted live ÷ in a sandbox", value: median(ratios), atLeast: 0.9 }];
    endRun("live", shown, goals);
  } finally {
    await twin.close();
    await stage.close();
  }
}
