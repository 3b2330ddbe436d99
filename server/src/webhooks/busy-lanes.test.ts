import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { record, someEvent } from "../../testing/webhooks/events.ts";
import { createReceiver } from "../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, announce, createTestSender, sendDue } from "../../testing/webhooks/webhooks.ts";
import { asOwner } from "../../testing/work.ts";
import { inTransaction, operatorScope } from "../platform/database/database.ts";
import { sequenceEvents } from "../platform/records/sequencer.ts";
import { createBusyLanes } from "./busy-lanes.ts";
import { type BusyLane, type ClaimedFromQueue, claimDeliveries } from "./claim-store.ts";

const app = await createTestApp();

/** As a claim returns them: so many of one endpoint, up to a position. */
function claimedOf(
  endpointId: string,
  count: number,
  upTo: bigint,
  environmentId = `home of ${endpointId}`,
): ClaimedFromQueue[] {
  return Array.from({ length: count }, (_, place) => ({
    environmentId,
    environment: "SANDBOX",
    eventId: randomUUID(),
    endpointId,
    resourceId: randomUUID(),
    eventPosition: upTo - BigInt(place),
    url: "",
    sealedSecret: null,
    sealedPreviousSecret: null,
    previousSecretUntil: null,
    event: "wallet.credited",
    createdAt: new Date(),
    resourceVersion: 1,
    data: "{}",
    attempts: 0,
    dueAt: new Date(),
    claimedAt: new Date(),
  }));
}

describe("claims", () => {
  const createLanes = () => {
    let at = 0;
    const busy = createBusyLanes(() => at);
    return { ...busy, wait: (ms: number) => (at += ms) };
  };
  const laneOf = (endpointId: string, eventPosition: bigint) => ({
    environmentId: `home of ${endpointId}`,
    endpointId,
    eventPosition,
  });

  test("go on at an endpoint of which many were claimed, and nowhere else", () => {
    const { lanes, note } = createLanes();
    expect(lanes()).toEqual([]);
    note([...claimedOf("a", 32, 90n), ...claimedOf("b", 31, 40n)]);
    expect(lanes()).toEqual([laneOf("a", 90n)]);
    note([...claimedOf("a", 3, 93n), ...claimedOf("c", 40, 50n)]);
    expect(lanes()).toEqual([laneOf("a", 93n), laneOf("c", 50n)]);
  });

  test("go on for each of two endpoints that have the same id in two environments", () => {
    const { lanes, note } = createLanes();
    lanes();
    note([...claimedOf("a", 32, 90n, "one"), ...claimedOf("a", 40, 70n, "two"), ...claimedOf("a", 31, 99n, "three")]);
    expect(lanes()).toEqual([
      { environmentId: "one", endpointId: "a", eventPosition: 90n },
      { environmentId: "two", endpointId: "a", eventPosition: 70n },
    ]);
  });

  test("begin at the beginning four times a second, and when nothing was found", () => {
    const { lanes, note, wait } = createLanes();
    lanes();
    note(claimedOf("a", 32, 90n));
    wait(249);
    expect(lanes()).toHaveLength(1);
    wait(1);
    expect(lanes()).toEqual([]);
    note(claimedOf("a", 32, 150n));
    expect(lanes()).toHaveLength(1);
    note([]);
    expect(lanes()).toEqual([]);
  });
});

interface Home {
  readonly environmentId: string;
  readonly endpointIds: readonly string[];
}

async function openHome(): Promise<Home> {
  const { secretKey, environment } = await createMerchant(app.db);
  const urls = [0, 1].map((place) => `http://localhost:9/${place}`);
  const endpointIds = await Promise.all(urls.map(async (url) => (await addEndpoint(app, url, {}, secretKey)).id));
  await record(app.db, environment.id, ...Array.from({ length: eventsEach }, () => someEvent()));
  return { environmentId: environment.id, endpointIds };
}

const eventsEach = 6;

describe("what is queued", () => {
  const homes: (Home & { readonly isLive: boolean })[] = [];

  beforeAll(async () => {
    for (const isLive of [false, true, false, false]) homes.push({ ...(await openHome()), isLive });
    const live = homes.filter((home) => home.isLive).map(({ environmentId }) => `'${environmentId}'`);
    await sequenceEvents(app.db);
    await asOwner(
      app.ownerUrl,
      `delete from environments where kind = 'LIVE' and merchant_id in (
         select merchant_id from environments where id in (${live.join()}));
       update environments set kind = 'LIVE' where id in (${live.join()})`,
    );
  });

  class Undone extends Error {}

  async function claim(busy: readonly BusyLane[], afterPlace: Place): Promise<readonly ClaimedFromQueue[]> {
    let claimed: readonly ClaimedFromQueue[] = [];
    const beginning = { environmentId: operatorScope, endpointId: operatorScope };
    await inTransaction(app.db, async (tx) => {
      claimed = await claimDeliveries(tx, {
        most: { LIVE: 500, SANDBOX: 500 },
        perEndpoint: 100,
        leaseSeconds: 45,
        rooms: new Map(),
        after: { LIVE: beginning, SANDBOX: afterPlace },
        busy,
      });
      throw new Undone();
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
    return claimed;
  }

  type Place = { readonly environmentId: string; readonly endpointId: string };

  test("is claimed but for what a busy endpoint has behind it, whoever is busy", async () => {
    const lanes = homes.flatMap(({ environmentId, endpointIds, isLive }) =>
      endpointIds.map((endpointId) => ({ environmentId, endpointId, isLive })),
    );
    const keyOf = (one: Place) => one.environmentId + one.endpointId;
    const busyAt = fc.array(fc.option(fc.integer({ min: 1, max: eventsEach })), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(busyAt, fc.integer({ min: -1, max: 7 }), async (positions, afterLane) => {
        const after = lanes[afterLane] ?? { environmentId: operatorScope, endpointId: operatorScope };
        const busy = lanes.flatMap(({ environmentId, endpointId }, place) =>
          positions[place] == null ? [] : [{ environmentId, endpointId, eventPosition: BigInt(positions[place]) }],
        );
        const expected = lanes.flatMap((lane, place) => {
          if (!lane.isLive && keyOf(lane) <= keyOf(after)) return [];
          const from = (positions[place] ?? 0) + 1;
          return Array.from({ length: eventsEach + 1 - from }, (_, step) => `${keyOf(lane)} ${from + step}`);
        });
        const claimed = await claim(busy, after);
        expect(claimed.map((one) => `${keyOf(one)} ${one.eventPosition}`).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 60 },
    );
  });
});

test("a busy endpoint is sent everything, each record's events in their order", async () => {
  const receiver = await createReceiver();
  await addEndpoint(app, receiver.url);
  const records = Array.from({ length: 80 }, () => randomUUID());
  await Promise.all(records.map((id) => announce(app, [1, 2, 3], id)));
  await sendDue(app, createTestSender(app, { limits: { first: 64 } }));
  const versions = Map.groupBy(
    receiver.received.map(({ body }) => JSON.parse(String(body)).data),
    ({ id }) => id,
  );
  expect(records.map((id) => versions.get(id)?.map(({ version }) => version))).toEqual(records.map(() => [1, 2, 3]));
});
