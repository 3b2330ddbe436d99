/** What becomes of a loan when the bank's answer about its disbursement comes late, or is taken back. */
import { expect, test } from "vitest";
import { createLendingApp } from "../../testing/lending/loans.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { inEnvironment, readEnvironment } from "../platform/database/database.ts";
import { loanOwners } from "../start/slice-needs.ts";
import { startSending } from "../transfers/payouts/transfer-store.ts";
import { reverseBySession } from "../transfers/sending/steer-transfer.ts";
import { disburseLoan } from "./disburse-loan.ts";
import { findLoan } from "./loan-store.ts";

const testing = await createLendingApp();
const { db, call, operate, request, read, heard, lend, groupCommit } = testing;
const { sealer } = testing.dependencies;
const environmentId = testing.merchant.environment.id;

/** A loan whose payment was sent and of which the bank has said nothing. */
async function sent(): Promise<{ id: string; transferId: string }> {
  const id = await request();
  await call("POST", `/sandbox/loans/${id}/approve`);
  return inEnvironment(db, environmentId, async (tx) => {
    await disburseLoan(tx, { sealer, rails: testing.rails.rails }, id);
    const transferId = (await findLoan(tx, sealer, id))?.disbursementId ?? "";
    const sessionId = `999001${Date.now()}`.padEnd(30, "0");
    expect(
      (await startSending(tx, [{ id: transferId, accountName: "Ada Obi", sessionId, connectionId: null }])).size,
    ).toBe(1);
    return { id, transferId };
  });
}

const resolve = (transferId: string, outcome: "completed" | "failed") =>
  operate("POST", `/operator/transfers/${transferId}/resolve`, { outcome, evidence: "Settlement report, line 7" });

const intact = async () => expect(await readEnvironment(db, environmentId, verifyLedger)).toEqual([]);

test("an operator who knows that the bank has paid makes the loan active", async () => {
  const { id, transferId } = await sent();
  expect((await read(id)).loan_request.status).toBe("approved");
  const reply = await resolve(transferId, "completed");
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await read(id)).toMatchObject({ loan_request: { status: "active" }, loan_details: { balance: 177600 } });
  expect(await heard(id)).toEqual(["loan.created", "loan.approved", "loan.disbursed"]);
  await intact();
});

test("an operator who knows that the bank has not paid leaves the loan approved, to be paid out again", async () => {
  const { id, transferId } = await sent();
  await resolve(transferId, "failed");
  expect((await read(id)).loan_request.status).toBe("approved");
  expect((await call("POST", `/sandbox/loans/${id}/disburse`)).statusCode).toBe(200);
  expect((await read(id)).loan_request.status).toBe("active");
  await intact();
});

test("a payment that the bank returns makes the loan approved again, without a second approval", async () => {
  const id = await lend();
  const { sessionId, before } = await inEnvironment(db, environmentId, async (tx) => {
    const loan = await findLoan(tx, sealer, id);
    const transfer = await tx
      .selectFrom("transfers")
      .select("session_id")
      .where("environment_id", "=", environmentId)
      .where("id", "=", loan?.disbursementId ?? "")
      .executeTakeFirstOrThrow();
    return { sessionId: transfer.session_id ?? "", before: loan?.disbursements };
  });
  const deps = { db, groupCommit, disbursementSettled: loanOwners(sealer).disbursementSettled };
  expect(await reverseBySession(deps, { environmentId, sessionId })).toBe(true);
  expect(await read(id)).toMatchObject({
    loan_request: { status: "approved" },
    loan_details: { status: 2, repayment_schedules: [] },
  });
  expect(before).toBe(1);
  await testing.advance({ seconds: 600 });
  expect((await read(id)).loan_request.status).toBe("active");
  expect(await heard(id)).toEqual(["loan.created", "loan.approved", "loan.disbursed", "loan.disbursed"]);
  await intact();
});

test("the outcome of a disbursement that nobody takes is a bug and changes nothing", async () => {
  const id = await lend();
  const sessionId = await inEnvironment(db, environmentId, async (tx) => {
    const loan = await findLoan(tx, sealer, id);
    const query = tx.selectFrom("transfers").select("session_id").where("environment_id", "=", environmentId);
    return (await query.where("id", "=", loan?.disbursementId ?? "").executeTakeFirstOrThrow()).session_id ?? "";
  });
  const reversal = { environmentId, sessionId } as const;
  await expect(reverseBySession({ db, groupCommit }, reversal)).rejects.toThrow("nobody takes the outcome");
  expect((await read(id)).loan_request.status).toBe("active");
});
