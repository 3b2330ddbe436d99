import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database.ts";
import { createMerchant } from "../../testing/factories.ts";
import { silentLog } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { type ClockControl, createClockControl } from "../platform/time/clock-control.ts";
import { setClock } from "../platform/time/clock-setting.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "../platform/time/environment-lock.ts";
import { prepareJobs } from "../platform/work/jobs-schema.ts";
import { reversalNotice, withReversal } from "./reversal-notice.ts";

const task = "test.reverse";
let database: TestDatabase;
let locks: EnvironmentLocks;
let control: ClockControl;

/** The rail's books: one payment, recorded or not, taken back or not. */
let recorded: boolean;
let told: number;
/** Called by the notice after it has looked into the books. */
let looked: (found: boolean) => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  await prepareJobs(database.ownerUrl, [task]);
  locks = createEnvironmentLocks({ url: database.appUrl });
  const kind = reversalNotice(task, {
    db: database.db,
    reverse: async () => {
      const found = recorded;
      await looked(found);
      return found;
    },
    tell: async () => {
      told += 1;
      return true;
    },
  });
  control = createClockControl({ db: database.db, log: silentLog, locks, kinds: new Map([[task, kind]]) });
});

afterAll(() => locks.close());

test("a payment that is recorded while its booking looks for it is taken back all the same", async () => {
  recorded = false;
  told = 0;
  const { environment } = await createMerchant(database.db);
  const environmentId = environment.id;
  await inEnvironment(database.db, environmentId, (tx) =>
    setClock(tx, environmentId, { mode: "frozen", now: new Date("2026-11-01T06:00:00.000Z"), seed: "s" }),
  );
  const lookedTooEarly = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  looked = async (found) => {
    if (found) return;
    lookedTooEarly.resolve();
    await mayGoOn.promise;
  };
  let advanced: Promise<unknown> | undefined;
  await withReversal(database.db, { environmentId, task, subject: "payment" }, async () => {
    advanced = control.advance(environmentId, { days: 1 });
    await lookedTooEarly.promise;
    recorded = true;
  });
  mayGoOn.resolve();
  await advanced;
  await control.advance(environmentId, { days: 1 });
  expect(told).toBe(1);
});
