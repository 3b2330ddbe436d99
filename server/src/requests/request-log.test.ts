import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { answeredBy } from "../../testing/platform/answered-by.ts";
import { eventually } from "../../testing/work.ts";
import { createDatabase, createPool, readEnvironment } from "../platform/database/database.ts";
import type { AnsweredRequest } from "../platform/http/reply/answered-request.ts";
import { createRequestLog } from "./request-log.ts";
import { listRequests } from "./request-store.ts";

const { appUrl, db, merchant } = await createTestApp();
const environmentId = merchant.environment.id;
const everything = { statuses: null, method: null, path: null, from: null, to: null };
const silent = { onError: () => {} };
let count = 0;

function answered(change: Partial<AnsweredRequest> = {}): AnsweredRequest {
  count += 1;
  return answeredBy(merchant, { requestId: `req_${count}`, ...change });
}

const lines = (limit = 100) =>
  readEnvironment(db, environmentId, (tx) => listRequests(tx, everything, { skip: 0n, limit }));

test("what is closed has written everything, in the order of the replies", async () => {
  const log = createRequestLog({ db, ...silent, everyMs: 60_000 });
  const noted = [answered(), answered(), answered()];
  for (const one of noted) log.note(one);
  await log.close();
  const found = await lines(3);
  expect(found.map(({ requestId }) => requestId).toReversed()).toEqual(noted.map(({ requestId }) => requestId));
  expect(log.dropped()).toBe(0);
});

test("what does not fit is dropped and counted, and the rest is written", async () => {
  const log = createRequestLog({ db, ...silent, everyMs: 60_000, mostWaiting: 2 });
  for (let sent = 0; sent < 5; sent += 1) log.note(answered());
  expect(log.dropped()).toBe(3);
  await log.close();
  expect((await lines(2)).map(({ requestId }) => requestId)).toEqual([`req_${count - 3}`, `req_${count - 4}`]);
  log.note(answered());
  expect(log.dropped()).toBe(3);
  await log.close();
});

test("bodies are kept of the first of a moment only, and the records of all", async () => {
  const log = createRequestLog({ db, ...silent, everyMs: 60_000 });
  for (let sent = 0; sent < 25; sent += 1) log.note(answered());
  await log.close();
  const found = await lines(25);
  expect(found.filter(({ requestBody, responseBody }) => requestBody !== null && responseBody !== null).length).toBe(
    20,
  );
  expect(found.every(({ recordId }) => recordId === environmentId)).toBe(true);
});

test("a database that is away costs the lines, is counted, and is told", async () => {
  const gone = createDatabase(createPool({ url: appUrl.replace(/\/[^/]*$/, "/nowhere"), poolSize: 1 }));
  const errors: unknown[] = [];
  const log = createRequestLog({ db: gone, onError: (error) => errors.push(error), everyMs: 1 });
  log.note(answered());
  await eventually("the loss is counted", () => log.dropped() === 1);
  expect(errors).toHaveLength(1);
  await gone.destroy();
});

test.each([
  ["a read changes nothing", { method: "GET", status: 200 }],
  ["a refusal made nothing", { status: 422, code: "validation_failed" }],
  ["a list has no record", { responseBody: '{"data":[]}' }],
  ["a streamed reply is not kept", { responseBody: null }],
])("no record: %s", async (_, change) => {
  const log = createRequestLog({ db, ...silent });
  log.note(answered(change));
  await log.close();
  expect((await lines(1))[0]?.recordId).toBeNull();
});

test("the first id of a reply is the record, whatever its name", async () => {
  const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
  const log = createRequestLog({ db, ...silent });
  log.note(answered({ responseBody: `{"status":true,"data":{"batchId":"${id}","transfers":[{"id":"x"}]}}` }));
  await log.close();
  expect((await lines(1))[0]?.recordId).toBe(id);
});
