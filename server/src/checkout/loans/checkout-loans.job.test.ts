/** Checkout loans while the clock runs: a worker brings them to the money and ends those that nobody completes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCheckoutApp } from "../../../testing/checkout/checkout.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { createEnvironmentLocks } from "../../platform/time/environment-lock.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { startWorker } from "../../start/tasks.ts";
import { checkoutLoanSweepSources } from "./checkout-loans.job.ts";
import { disburseTask, expireTask } from "./tasks.ts";

const app = await createCheckoutApp({ frozen: false });
const { db, person, request, read, heard, link, consent, within } = app;
const locks = createEnvironmentLocks({ url: app.appUrl });
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const { tasks, appUrl } = app;
  const worker = await startWorker({ db, log: silentLog, locks, tasks, directUrl: appUrl, graceMs: 5_000 });
  stopWorker = worker.stop;
});

afterAll(async () => {
  await stopWorker();
  await locks.close();
});

const reaches = (loanId: string, status: string) =>
  eventually(`the loan is ${status}`, async () => (await read(loanId))["status"] === status);

async function asked() {
  const customerId = await person();
  return { customerId, loanId: String((await request(customerId)).json().data.id) };
}

test("a loan is paid out about two seconds after the last requirement was met", async () => {
  const { customerId, loanId } = await asked();
  await link(customerId, "linked");
  await consent(loanId);
  await reaches(loanId, "active");
  expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.approved", "bnpl.loan.disbursed"]);
});

test("an approved loan that nothing would pay out any more is found by the sweeper", async () => {
  const { customerId, loanId } = await asked();
  await link(customerId, "linked");
  await consent(loanId);
  await within((tx) => cancelScheduled(tx, disburseTask, [loanId]));
  await sweep(db, checkoutLoanSweepSources, silentLog);
  await reaches(loanId, "active");
});

test("a pending loan that nothing would end any more is found by the sweeper, and keeps its time", async () => {
  const { loanId } = await asked();
  const booked = () =>
    within((tx) =>
      tx.selectFrom("agenda").select("due_at").where("kind", "=", expireTask).where("subject", "=", loanId).execute(),
    );
  const [before] = await booked();
  await within((tx) => cancelScheduled(tx, expireTask, [loanId]));
  await sweep(db, checkoutLoanSweepSources, silentLog);
  await eventually("its end is booked again", async () => (await booked()).length === 1);
  expect(await booked()).toEqual([before]);
  expect((await read(loanId))["status"]).toBe("pending_consent");
});
