/** Loans while the clock runs: a worker brings them from request to active, and a stranded one is found again. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyFunding, moveFunding } from "../../testing/lending/funding.ts";
import { createLendingApp } from "../../testing/lending/loans.ts";
import { eventually, silentLog } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { cancelScheduled } from "../platform/work/agenda.ts";
import { sweep } from "../platform/work/sweeper.ts";
import { startWorker } from "../start/tasks.ts";
import { loanSweepSources } from "./loans.job.ts";
import { decideTask } from "./tasks.ts";

const testing = await createLendingApp({ frozen: false });
const { request, read, heard } = testing;
const environmentId = testing.merchant.environment.id;
const locks = createEnvironmentLocks({ url: testing.appUrl });
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  const { db, tasks } = testing;
  const worker = await startWorker({ db, log: silentLog, locks, tasks, directUrl: testing.appUrl, graceMs: 5_000 });
  stopWorker = worker.stop;
});

afterAll(async () => {
  await stopWorker();
  await locks.close();
});

const reaches = (id: string, status: string) =>
  eventually(`the loan is ${status}`, async () => (await read(id)).loan_request.status === status);

describe("while the clock runs", () => {
  test("a loan is named, approved after about two seconds, and paid out about two seconds later", async () => {
    const id = await request();
    await reaches(id, "active");
    const { loan_request, loan_details } = await read(id);
    const after = (moment: string | null) => Date.parse(moment ?? "") - Date.parse(loan_request.created_at);
    expect(after(loan_details.approved_date)).toBeGreaterThanOrEqual(2_000);
    expect(after(loan_details.start_date)).toBeGreaterThanOrEqual(4_000);
    expect(loan_request).toMatchObject({ bank_name: "Guaranty Trust Bank", account_name: expect.any(String) });
    expect(await heard(id)).toEqual(["loan.created", "loan.approved", "loan.disbursed"]);
  });

  test("a loan that nothing would decide any more is found by the sweeper", async () => {
    const id = await request();
    await inEnvironment(testing.db, environmentId, (tx) => cancelScheduled(tx, decideTask, [id]));
    await sweep(testing.db, loanSweepSources, silentLog);
    await reaches(id, "active");
  });

  test("a lender without money leaves the loan approved, and an advance finds it funded", async () => {
    const all = await inEnvironment(testing.db, environmentId, emptyFunding);
    const id = await request();
    await reaches(id, "approved");
    await testing.advance({ seconds: 5 });
    expect((await read(id)).loan_request.status).toBe("approved");
    await inEnvironment(testing.db, environmentId, (tx) => moveFunding(tx, all));
    await testing.advance({ seconds: 3_600 });
    await reaches(id, "active");
  });
});
