import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createPayingApp } from "../../../testing/payments/paying-app.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { Problem } from "../../platform/problem.ts";
import { steerOrder } from "../../rails/steer-order.ts";
import { transferSteering } from "../sending/steer-transfer.ts";
import { canMove, type TransferStatus, transferTransitions } from "./transfer.ts";
import { startSending } from "./transfer-store.ts";

const { pay, read, balance, merchant, db } = await createPayingApp();
const environmentId = merchant.environment.id;
const statuses = keysOf(transferTransitions);

/** How a transfer comes into each state, step by step along the table. */
const ways: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  pending: [],
  processing: ["processing"],
  completed: ["processing", "completed"],
  failed: ["processing", "failed"],
  reversed: ["processing", "completed", "reversed"],
};

async function move(id: string, to: TransferStatus): Promise<boolean> {
  try {
    return await inEnvironment(db, environmentId, async (tx) => {
      if (to === "pending") return false;
      if (to === "processing") {
        const sessionId = `999001${String(Math.random()).slice(2).padEnd(24, "0").slice(0, 24)}`;
        return (await startSending(tx, [{ id, accountName: "Ada Obi", sessionId, connectionId: null }])).has(id);
      }
      const failure = to === "completed" ? null : { code: "test", message: "For a test." };
      await steerOrder(tx, transferSteering(), { id, step: { to, failure } });
      return true;
    });
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid_state") return false;
    throw error;
  }
}

describe("the states of a transfer", () => {
  test("are those that the database knows", async () => {
    const found = await sql<{ definition: string }>`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'transfers'::regclass and contype = 'c' and conname = 'transfers_status_check'`.execute(db);
    const known = [...(found.rows[0]?.definition.matchAll(/'(\w+)'::text/g) ?? [])].map(([, word]) => word);
    expect(known.sort()).toEqual([...statuses].sort());
  });

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    "a step from %s to %s is taken only if the table has it, and the money follows",
    async (from, to) => {
      const before = await balance();
      const { id } = (await pay({ amount: 10_000 })).json().data;
      for (const step of ways[from]) expect(await move(id, step)).toBe(true);
      expect(await move(id, to)).toBe(canMove(from, to));
      const status = canMove(from, to) ? to : from;
      expect(await read(id)).toMatchObject({ status });
      const after = await balance();
      const spent = status === "failed" || status === "reversed" ? 0 : 10_076.88;
      expect(after.available).toBeCloseTo(before.available - spent, 2);
      const held = status === "pending" || status === "processing" ? 10_076.88 : 0;
      expect(after.held).toBeCloseTo(before.held + held, 2);
    },
  );
});
