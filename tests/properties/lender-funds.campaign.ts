/**
 * Random deposits, withdrawals, loans, repayments and cancellations, some at once. The lender's money is always
 * available, held or lent, no withdrawal touches what is promised, and the books agree.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { house } from "../../server/src/start/slices.ts";
import { createLendingApp } from "../../server/testing/lending/loans.ts";

const { db, call, operate, request, advance, merchant } = await createLendingApp();
const { id: environmentId } = merchant.environment;
const path = `/operator/environments/${environmentId}/lender`;

const step = fc.oneof(
  fc.record({ deposit: fc.integer({ min: 1, max: 400_000_00 }) }),
  // Thousandths of what can be taken out; beyond a thousand it is too much. Several are sent at once.
  fc.record({ withdraw: fc.array(fc.integer({ min: 1, max: 1_400 }), { minLength: 1, maxLength: 3 }) }),
  fc.record({ borrow: fc.integer({ min: 1_000, max: 300_000 }), bank: fc.constantFrom("058", "999") }),
  fc.record({ seconds: fc.constantFrom(2, 5) }),
  fc.record({ repay: fc.nat({ max: 5 }), thousandths: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ cancel: fc.nat({ max: 5 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Funds {
  readonly available: number;
  readonly held: number;
  readonly lent: number;
  readonly funded: number;
  readonly promised: number;
  readonly withdrawable: number;
}

let numbered = 0;
const counted = { refused: 0, withdrawn: 0, waiting: 0 };
const kobo = (naira: number): number => Math.round(naira * 100);
const read = async (): Promise<Funds> => (await operate("GET", path)).json().data;

function move(way: "deposits" | "withdrawals", amount: number, fundedAfter: number) {
  numbered += 1;
  const names = { reference: `r-${numbered}`, evidence: `e-${numbered}`, reason: "By chance" };
  return operate("POST", `${path}/${way}`, { ...names, amount: amount / 100, fundedAfter: fundedAfter / 100 });
}

async function withdraw(parts: readonly number[]): Promise<void> {
  const { withdrawable, funded } = await read();
  const amounts = parts.map((part) => Math.floor((kobo(withdrawable) * part) / 1_000)).filter((amount) => amount > 0);
  const replies = await Promise.all(
    amounts.map((amount) => move("withdrawals", amount, Math.max(0, kobo(funded) - amount))),
  );
  for (const reply of replies) {
    const { code } = reply.json();
    if (reply.statusCode === 201) counted.withdrawn += 1;
    else {
      expect(["insufficient_funds", "lender_funds_promised", "lender_funds_differ"]).toContain(code);
      counted.refused += 1;
    }
  }
  if (replies.every((reply) => reply.statusCode !== 201)) return;
  const after = await read();
  expect(kobo(after.available)).toBeGreaterThanOrEqual(kobo(after.promised));
}

async function take(next: Step, loans: string[]): Promise<void> {
  if ("deposit" in next) {
    const { funded } = await read();
    expect((await move("deposits", next.deposit, kobo(funded) + next.deposit)).statusCode).toBe(201);
  } else if ("withdraw" in next) await withdraw(next.withdraw);
  else if ("borrow" in next) loans.push(await request({ amount: String(next.borrow), bank_code: next.bank }));
  else if ("seconds" in next) await advance({ seconds: next.seconds });
  else if ("cancel" in next) await call("POST", `/loans/${loans[next.cancel]}/cancel`, { body: {} });
  else await repay(loans[next.repay], next.thousandths);
}

async function repay(id: string | undefined, thousandths: number): Promise<void> {
  if (id === undefined) return;
  const { balance } = (await call("GET", `/loans/${id}`)).json().data.loan_details;
  numbered += 1;
  const amount = Math.ceil((kobo(balance) * thousandths) / 1_000) / 100;
  if (amount === 0) return;
  await call("POST", "/sandbox/wallets/fund", { body: { amount } });
  await call("POST", `/loans/${id}/repayments`, { body: { amount, reference: `p-${numbered}`, channel: "wallet" } });
}

test("the lender's money is always somewhere, and what is promised stays", async () => {
  const { funded } = await read();
  expect((await move("withdrawals", kobo(funded) - 500_000_00, 500_000_00)).statusCode).toBe(201);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
      const loans: string[] = [];
      for (const next of steps) {
        await take(next, loans);
        const { available, held, lent, funded: whole, promised } = await read();
        expect(kobo(available) + kobo(held) + kobo(lent)).toBe(kobo(whole));
        if (promised > 0) counted.waiting += 1;
      }
      expect(await inEnvironment(db, environmentId, (tx) => house.verify(tx))).toEqual([]);
    }),
    { numRuns: 24 },
  );
  // Chance has met all of it.
  expect([counted.refused, counted.withdrawn, counted.waiting].every((times) => times > 0)).toBe(true);
});
