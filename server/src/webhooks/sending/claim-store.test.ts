/** What a claim says of each delivery, where many endpoints of many environments are claimed at once. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { record, someEvent } from "../../../testing/webhooks/events.ts";
import { createReceiver } from "../../../testing/webhooks/webhook-receiver.ts";
import { addEndpoint, createTestSender, sendDue } from "../../../testing/webhooks/webhooks.ts";
import { asOwner } from "../../../testing/work.ts";
import { operatorScope } from "../../platform/database/database.ts";
import { sequenceEvents } from "../../platform/records/sequencer.ts";
import type { EndpointKey } from "../endpoints/endpoint.ts";
import { type Claimed, claimDeliveries } from "./claim-store.ts";

const app = await createTestApp();
const eventsEach = 3;

const beginning: EndpointKey = { environmentId: operatorScope, endpointId: operatorScope };

function claimAll(after = beginning): Promise<readonly Claimed[]> {
  return claimDeliveries(app.db, {
    most: { LIVE: 500, SANDBOX: 500 },
    perEndpoint: 100,
    leaseSeconds: 45,
    rooms: new Map(),
    after: { LIVE: beginning, SANDBOX: after },
  });
}

interface Home {
  readonly environmentId: string;
  readonly secretKey: string;
  readonly endpoints: readonly { readonly id: string; readonly url: string }[];
  readonly eventIds: readonly string[];
}

/** A sandbox with an endpoint at each path, and events that all of them get. */
async function openHome(urls: readonly string[]): Promise<Home> {
  const { secretKey, environment } = await createMerchant(app.db);
  const endpoints: { id: string; url: string }[] = [];
  for (const url of urls) endpoints.push({ id: (await addEndpoint(app, url, {}, secretKey)).id, url });
  const eventIds = await record(app.db, environment.id, ...Array.from({ length: eventsEach }, () => someEvent()));
  return { environmentId: environment.id, secretKey, endpoints, eventIds };
}

/** Its clock and its seed are those of every other one. */
async function openFrozenHome() {
  const { secretKey, environment } = await createMerchant(app.db);
  const body = { mode: "frozen", now: "2026-03-02T08:00:00.000Z", seed: "alike" };
  const frozen = await app.call("PUT", "/sandbox/clock", { key: secretKey, body });
  expect(frozen.statusCode).toBe(200);
  const receiver = await createReceiver();
  const endpoint = await addEndpoint(app, receiver.url, {}, secretKey);
  await record(app.db, environment.id, someEvent("wallet.credited", { of: environment.id }));
  return { environmentId: environment.id, endpoint, receiver };
}

const lineOf = ({ environmentId, endpointId, url, eventId }: Claimed) =>
  [environmentId, endpointId, url, eventId].join(" ");

function linesOf({ environmentId, endpoints, eventIds }: Home): string[] {
  return endpoints.flatMap(({ id, url }) => eventIds.map((eventId) => [environmentId, id, url, eventId].join(" ")));
}

/** Frozen alike, two sandboxes draw the same ids. */
async function giveTheSameId(one: Home, other: Home): Promise<Home> {
  const [wanted, had] = [one.endpoints[0], other.endpoints[0]];
  if (wanted === undefined || had === undefined) throw new Error("both need an endpoint");
  await asOwner(app.ownerUrl, `update webhook_endpoints set id = '${wanted.id}' where id = '${had.id}'`);
  return { ...other, endpoints: [{ ...had, id: wanted.id }, ...other.endpoints.slice(1)] };
}

test("each delivery has the address of its own endpoint, also where two sandboxes have the same id", async () => {
  const one = await openHome(["http://localhost:9/one", "http://localhost:9/another"]);
  const other = await giveTheSameId(one, await openHome(["http://localhost:9/other"]));
  await sequenceEvents(app.db);
  const claimed = await claimAll();
  expect(claimed.map(lineOf).toSorted()).toEqual([one, other].flatMap(linesOf).toSorted());
  const secrets = Map.groupBy(claimed, ({ sealedSecret }) => sealedSecret?.toString("base64"));
  expect([...secrets.values()].map((own) => own.length)).toEqual([eventsEach, eventsEach, eventsEach]);
});

test("two sandboxes that were frozen alike each get their own events, signed with their own secret", async () => {
  const homes = await Promise.all([1, 2].map(openFrozenHome));
  expect(new Set(homes.map(({ endpoint }) => endpoint.id)).size).toBe(1);
  await sequenceEvents(app.db);
  await sendDue(app, createTestSender(app));
  for (const { environmentId, endpoint, receiver } of homes) {
    const [message] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    const verified = new Webhook(endpoint.secret).verify(message?.body ?? "", { ...message?.headers });
    expect(verified).toMatchObject({ data: { of: environmentId } });
  }
});

test("an event that is gone takes only its own delivery with it", async () => {
  const home = await openHome(["http://localhost:9/gone"]);
  await sequenceEvents(app.db);
  const [first, ...left] = home.eventIds;
  await asOwner(app.ownerUrl, `delete from events where id = '${first}'`);
  expect((await claimAll()).map(lineOf)).toEqual(linesOf({ ...home, eventIds: left }));
});

test("a claim begins after the endpoint that is named, and the next one at the beginning", async () => {
  const homes = [
    await openHome(["http://localhost:9/a", "http://localhost:9/b"]),
    await openHome(["http://localhost:9/c"]),
  ];
  await sequenceEvents(app.db);
  const lines = homes.flatMap(linesOf).toSorted();
  const [environmentId = "", endpointId = ""] = lines[eventsEach - 1]?.split(" ") ?? [];
  expect((await claimAll({ environmentId, endpointId })).map(lineOf).toSorted()).toEqual(lines.slice(eventsEach));
  expect((await claimAll()).map(lineOf).toSorted()).toEqual(lines.slice(0, eventsEach));
});

test("live deliveries come first, whatever the ids of environments are", async () => {
  const homes = [await openHome(["http://localhost:9/a"]), await openHome(["http://localhost:9/b"])];
  await sequenceEvents(app.db);
  const last = homes.toSorted((one, other) => (one.environmentId < other.environmentId ? 1 : -1))[0];
  await asOwner(
    app.ownerUrl,
    `delete from environments where kind = 'LIVE' and merchant_id in (
       select merchant_id from environments where id = '${last?.environmentId}');
     update environments set kind = 'LIVE' where id = '${last?.environmentId}'`,
  );
  const kinds = (await claimAll()).map(({ environment }) => environment);
  expect(kinds).toEqual(["LIVE", "LIVE", "LIVE", "SANDBOX", "SANDBOX", "SANDBOX"]);
});
