/** Vending airtime against paying out, from one wallet, turn by turn in one run. */
import { verifyLedger } from "../server/src/ledger/verify.ts";
import { readEnvironment } from "../server/src/platform/database/database.ts";
import { endRun } from "./end-run.ts";
import { load, requestBytes } from "./load.ts";
import { apiAt, createPayer, readOperatorToken } from "./payers.ts";
import { median } from "./report.ts";
import { openStage } from "./stage.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 5);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const connections = 256;

const contenders = {
  "POST /transfers": {
    path: "/transfers",
    body: { accountNumber: "0123456789", bankCode: "058", amount: 1500, currency: "NGN", narration: "Airtime" },
  },
  "POST /bills/airtime/vend": {
    path: "/bills/airtime/vend",
    body: { network: "MTN", phoneNumber: "08031234567", amount: 1500 },
  },
} as const;

type Contender = keyof typeof contenders;

export async function benchBills(): Promise<void> {
  const stage = await openStage();
  try {
    const payer = await createPayer(apiAt(stage.port), readOperatorToken(stage.home), 0);
    const rates = new Map<Contender, number[]>();
    let count = 0;
    const play = async (name: Contender): Promise<number> => {
      const { path, body } = contenders[name];
      const next = (): Buffer =>
        requestBytes("POST", path, payer.key, JSON.stringify({ ...body, reference: `bench-${count++}` }));
      const result = await load({ port: stage.port, connections, seconds, next });
      if (Object.keys(result.statuses).some((status) => status !== "201")) {
        throw new Error(`unexpected answers: ${JSON.stringify(result.statuses)}`);
      }
      const differences = await readEnvironment(stage.db, payer.environmentId, verifyLedger);
      if (differences.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(differences)}`);
      return result.perSecond;
    };
    const names = Object.keys(contenders) as Contender[];
    for (const name of names) await play(name); // warms caches and compilers
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) rates.set(name, [...(rates.get(name) ?? []), await play(name)]);
    }
    const legs = [...rates].map(([name, values]) => ({ name, unit: "requests/s", values }));
    const [payouts = [], vends = []] = names.map((name) => rates.get(name));
    const goals = [{ name: "vending ÷ paying out", value: median(vends) / median(payouts), atLeast: 0.8 }];
    endRun("bills", legs, goals);
  } finally {
    await stage.close();
  }
}
