import pg from "pg";
import { afterAll } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { type BankBench, bankContract, type Fate, wrongBanks } from "../../../testing/providers/bank-contract.ts";
import { keepContract } from "../../../testing/providers/keep-contract.ts";
import { paymentOrder } from "../../../testing/providers/payment-order.ts";
import { createPool } from "../../platform/database/database.ts";
import type { PaymentOrder } from "../../rails/bank.ts";
import { nowhereBank } from "./bank-condition.ts";
import { createSimulatedBank } from "./simulated-bank.ts";

const { db, appUrl, ownerUrl } = await createTestDatabase();
const pool = createPool({ url: appUrl, poolSize: 4 });
const owner = new pg.Client({ connectionString: ownerUrl });
await owner.connect();
afterAll(() => Promise.all([pool.end(), owner.end()]));

const endings: Readonly<Record<Fate, string>> = {
  paid: "",
  refused: "_FAIL",
  pending: "_PENDING",
  "paid, reply lost": "_TIMEOUT",
};
const statuses = { paid: "paid", refused: "refused", "taken back": "reversed" } as const;

async function moved({ environmentId, sessionId }: PaymentOrder): Promise<bigint> {
  const found = await owner.query<{ amount: string }>(
    "select amount::text from simulated_bank.payments where sandbox = $1 and session_id = $2 and status = 'paid'",
    [environmentId, sessionId],
  );
  return BigInt(found.rows[0]?.amount ?? 0);
}

async function open(): Promise<BankBench> {
  const { environment } = await createMerchant(db);
  const bank = createSimulatedBank({ pool, db });
  return {
    rail: bank.rail,
    // The simulated bank sends a notice.
    tellsTakenBack: false,
    order: (fate) => {
      const order = paymentOrder({ environmentId: environment.id });
      return { ...order, reference: `${order.reference}${endings[fate]}` };
    },
    decide: (order, to) => bank.decide(order, statuses[to]),
    moved,
    accounts: {
      known: { nipCode: "000013", accountNumber: "0123456789" },
      unknown: { nipCode: "000013", accountNumber: "0000000000" },
      unreached: { nipCode: nowhereBank, accountNumber: "0123456789" },
    },
  };
}

keepContract("bank rails: the simulated bank", bankContract, wrongBanks, open);
