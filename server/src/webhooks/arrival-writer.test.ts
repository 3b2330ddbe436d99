import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { record, someEvent } from "../../testing/webhooks/events.ts";
import { addEndpoint } from "../../testing/webhooks/webhooks.ts";
import { silentLog } from "../../testing/work.ts";
import { operatorScope, readEnvironment } from "../platform/database/database.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";
import { createArrivalWriter } from "./arrival-writer.ts";
import { type Arrival, claimDeliveries } from "./delivery-store.ts";

const app = await createTestApp();
const beginning = { environmentId: operatorScope, endpointId: operatorScope };

/** Messages that an endpoint has acknowledged, and nobody has written down. */
async function someArrivals(count: number): Promise<{ environmentId: string; arrivals: Arrival[] }> {
  const { secretKey, environment } = await createMerchant(app.db);
  await addEndpoint(app, "http://localhost:9/hooks", {}, secretKey);
  await record(app.db, environment.id, ...Array.from({ length: count }, () => someEvent()));
  await sequenceEvents(app.db);
  const claimed = await claimDeliveries(app.db, {
    most: { LIVE: count, SANDBOX: count },
    perEndpoint: count,
    leaseSeconds: 45,
    rooms: new Map(),
    after: { LIVE: beginning, SANDBOX: beginning },
    busy: [],
  });
  const at = new Date();
  const said = { at, sentAt: at, status: 200, durationMs: 1, body: "ok", error: null, retryAfterMs: null };
  const arrivals = claimed.map(({ environmentId, eventId, endpointId, resourceId }) => ({
    environmentId,
    eventId,
    endpointId,
    resourceId,
    ...said,
  }));
  return { environmentId: environment.id, arrivals };
}

/** How many transactions have written the attempts of an environment. */
function commits(environmentId: string): Promise<number> {
  return readEnvironment(app.db, environmentId, async (tx) => {
    const found = await sql<{ commits: number }>`
      select count(distinct xmin::text)::integer as commits from webhook_deliveries where status = 'delivered'`.execute(
      tx,
    );
    return found.rows[0]?.commits ?? 0;
  });
}

test("what arrives while a busy writer rests shares the next commit", async () => {
  const { environmentId, arrivals } = await someArrivals(60);
  const resting = Promise.withResolvers<void>();
  const rested = Promise.withResolvers<void>();
  const writer = createArrivalWriter(app.db, silentLog, () => {
    resting.resolve();
    return rested.promise;
  });
  await Promise.all(arrivals.slice(0, 10).map(writer.write));
  await resting.promise;
  const later: Promise<void>[] = [];
  for (const arrival of arrivals.slice(10)) {
    later.push(writer.write(arrival));
    await new Promise(setImmediate);
  }
  expect(await commits(environmentId)).toBe(1);
  rested.resolve();
  await Promise.all(later);
  expect(await commits(environmentId)).toBe(2);
});

test("a lone arrival is written at once, and nobody rests after it", async () => {
  const { environmentId, arrivals } = await someArrivals(2);
  const writer = createArrivalWriter(app.db, silentLog, () => Promise.reject(new Error("rested")));
  for (const arrival of arrivals) await writer.write(arrival);
  expect(await commits(environmentId)).toBe(2);
});
