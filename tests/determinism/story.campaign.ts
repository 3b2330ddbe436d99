/** The short form of `npm run test:determinism`: the story told a few times beside a worker and busy neighbours. */
import { afterAll, expect, test } from "vitest";
import { createEnvironmentLocks } from "../../server/src/platform/time/environment-lock.ts";
import { prepareJobs } from "../../server/src/platform/work/jobs-schema.ts";
import { house } from "../../server/src/start/slices.ts";
import { startWorker } from "../../server/src/start/tasks.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { silentLog } from "../../server/testing/work.ts";
import { type Call, firstDifference, tell } from "./story.ts";

const testing = await createTestApp();
await prepareJobs(testing.ownerUrl, house.taskKinds);
const locks = createEnvironmentLocks({ url: testing.appUrl });
const worker = await startWorker({
  db: testing.db,
  log: silentLog,
  locks,
  tasks: testing.tasks,
  directUrl: testing.appUrl,
  graceMs: 5_000,
});
afterAll(async () => {
  await worker.stop();
  await locks.close();
});

const callAs =
  (key: string): Call =>
  async (method, path, body) => {
    const reply = await testing.call(method, path, { key, ...(body === undefined ? {} : { body }) });
    return { status: reply.statusCode, body: reply.body };
  };

test("the same story on a frozen clock reads the same, byte for byte", async () => {
  const call = callAs(testing.merchant.secretKey);
  const neighbour = callAs(testing.otherMerchant.secretKey);
  const [first] = await Promise.all([tell(call), tell(neighbour)]);
  const [second] = await Promise.all([tell(call), tell(neighbour)]);
  expect(first.filter((line) => / [45]\d\d /.test(line))).toEqual([]);
  expect(first.filter((line) => line.startsWith("event ")).length).toBeGreaterThan(20);
  expect(firstDifference(first, second)).toBeUndefined();
});
