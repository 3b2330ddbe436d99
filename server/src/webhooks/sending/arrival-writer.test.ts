import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { addEndpoint } from "../../../testing/webhooks/webhooks.ts";
import { silentLog } from "../../../testing/work.ts";
import { type Database, operatorScope, readEnvironment } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import { type Arrival, recordArrivals } from "../deliveries/delivery-store.ts";
import { createArrivalWriter } from "./arrival-writer.ts";
import { claimDeliveries } from "./claim-store.ts";

const app = await createTestApp();
const beginning = { environmentId: operatorScope, endpointId: operatorScope };

/** Messages that an endpoint has acknowledged, and nobody has written down. */
async function someArrivals(count: number): Promise<{ environmentId: string; arrivals: Arrival[] }> {
  const { secretKey, environment } = await createMerchant(app.db);
  await addEndpoint(app, "http://localhost:9/hooks", {}, secretKey);
  await record(app.db, environment.id, ...Array.from({ length: count }, () => someEvent()));
  await sequenceEvents(app.db);
  const claimed = await claim(app.db, count);
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

function claim(db: Database, count: number) {
  return claimDeliveries(db, {
    most: { LIVE: count, SANDBOX: count },
    perEndpoint: count,
    leaseSeconds: 45,
    rooms: new Map(),
    after: { LIVE: beginning, SANDBOX: beginning },
  });
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

test("neither a claim nor an arrival waits for the disk, and what its connection commits next does", async () => {
  const { arrivals } = await someArrivals(1);
  await app.db.connection().execute(async (connection) => {
    const waits = async (db: Database): Promise<string | undefined> => {
      const found = await sql<{ how: string }>`select current_setting('synchronous_commit') as how`.execute(db);
      return found.rows[0]?.how;
    };
    const during = (work: (tx: Database) => Promise<unknown>) =>
      connection.transaction().execute(async (tx) => {
        await work(tx);
        return waits(tx);
      });
    await sql`set synchronous_commit = on`.execute(connection);
    expect(await during(async () => undefined)).toBe("on");
    expect(await during((tx) => claim(tx, 1))).toBe("off");
    expect(await during((tx) => recordArrivals(tx, arrivals))).toBe("off");
    expect(await waits(connection)).toBe("on");
  });
});
