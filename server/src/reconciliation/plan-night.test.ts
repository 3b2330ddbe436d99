import { beforeEach, describe, expect, test } from "vitest";
import { createComparedDays } from "../../testing/providers/compared-days.ts";
import { startPaystackTwin } from "../../testing/providers/paystack-twin.ts";
import { planNight } from "./plan-night.ts";
import { reconciliationGauges } from "./reconciliation-gauges.ts";

const { app, twin, connection, connectAs } = await createComparedDays("2026-01-01");
const { operate, owner, work } = app;
const { house } = app.dependencies;
const deps = { ...app.dependencies, connections: app.rails.connections, orderBooks: house?.orderBooks ?? [] };
const retired = await connectAs("Retired");
await operate("PATCH", `/operator/connections/${retired}`, { state: "retired" });
const credentials = { secretKey: "sk_test_twin" };
const play = app.keep(await startPaystackTwin(0, credentials));
await app.connect({ provider: "paystack", name: "Play", mode: "test", baseUrl: play.url, credentials });

/** Days of which the night is the one after them. */
const [monday, tuesday, wednesday] = ["2026-03-02", "2026-03-03", "2026-03-04"] as const;
const night = (date: string, time = "02:00:00") =>
  new Date(`${Temporal.PlainDate.from(date).add({ days: 1 })}T${time}+01:00`);

interface Planned {
  readonly date: string;
  readonly state: string;
  readonly version: number;
  readonly requestedBy: string;
}
const runs = async (): Promise<Planned[]> => {
  const { data } = (await operate("GET", "/operator/reconciliations?limit=100")).json();
  return data.filter((run: { connectionId: string }) => run.connectionId === connection).reverse();
};
const dates = async () => (await runs()).map(({ date }) => date).sort();
/** Runs were made in the night that the test plays. */
const ranAt = (moment: Date) =>
  owner(`update reconciliations set created_at = '${moment.toISOString()}',
    completed_at = case when completed_at is null then null else '${moment.toISOString()}'::timestamptz end
    where created_at > '2026-06-01'`);

/** Lets the night's runs happen, as of the moment. */
async function workNight(moment: Date): Promise<void> {
  await planNight(deps, moment);
  const waiting = (await runs()).filter(({ state }) => state === "running");
  for (const _ of waiting) await work("reconciliations");
  await ranAt(moment);
}

async function payOn(date: string) {
  const at = new Date(`${date}T12:00:00+01:00`);
  const order = await app.payAt(at);
  twin.bank.listed.change(order.sessionId, { createdAt: at });
  return order;
}

beforeEach(async () => {
  await owner("delete from reconciliation_exceptions; delete from reconciliations; delete from rail_traces");
  await owner("update transfers set connection_id = null");
  await owner(`update rail_connections set created_at = '${monday}T08:00:00+01:00'`);
  await app.rails.connections.refresh();
});

describe("every night", () => {
  test("the day that is over is compared, from two o'clock on, once", async () => {
    await planNight(deps, night(monday, "01:59:59"));
    expect(await dates()).toEqual([]);
    await workNight(night(monday));
    expect(await runs()).toMatchObject([{ date: monday, state: "clean", version: 1, requestedBy: "nightly" }]);
    await workNight(night(monday, "23:00:00"));
    expect(await dates()).toEqual([monday]);
    await workNight(night(tuesday));
    expect(await dates()).toEqual([monday, tuesday]);
  });

  test("by several processes at once is compared once", async () => {
    await Promise.all([1, 2, 3, 4].map(() => planNight(deps, night(tuesday))));
    expect(await dates()).toEqual([monday, tuesday]);
  });

  test("days that were missed are caught up, a week back and not before it was connected", async () => {
    await planNight(deps, night(wednesday, "15:00:00"));
    expect(await dates()).toEqual([monday, tuesday, wednesday]);
    await owner("delete from reconciliations");
    await planNight(deps, night("2026-03-20"));
    expect(await dates()).toEqual(Array.from({ length: 7 }, (_, day) => `2026-03-${14 + day}`));
  });

  test("a day that an operator compared before it was over is compared again", async () => {
    await app.compare(connection, monday);
    await ranAt(new Date(`${monday}T15:00:00+01:00`));
    await workNight(night(monday));
    expect(await runs()).toMatchObject([
      { requestedBy: "operator", version: 1 },
      { requestedBy: "nightly", version: 2 },
    ]);
  });

  test("a provider that fails is asked again after an hour, then two, then four", async () => {
    const failing = async (moment: Date) => {
      twin.misbehave(["bad_gateway_after"], "GET /transfer");
      await workNight(moment);
    };
    await failing(night(monday, "02:00:00"));
    await failing(night(monday, "02:59:00"));
    expect(await runs()).toMatchObject([{ state: "failed", version: 1 }]);
    await failing(night(monday, "03:00:00"));
    await failing(night(monday, "04:59:00"));
    expect(await runs()).toHaveLength(2);
    await failing(night(monday, "05:00:00"));
    expect(await runs()).toHaveLength(3);
    twin.behave();
    await workNight(night(monday, "09:00:00"));
    expect((await runs()).at(-1)).toMatchObject({ state: "clean", version: 4 });
  });

  test("a day that has an exception or an open order is looked at again, until it has none", async () => {
    const { sessionId } = await payOn(monday);
    twin.bank.listed.lose(sessionId);
    await workNight(night(monday));
    await workNight(night(monday, "04:00:00"));
    expect(await runs()).toMatchObject([{ date: monday, state: "exceptions" }]);
    await workNight(night(tuesday));
    expect((await runs()).filter(({ date }) => date === monday)).toHaveLength(2);
    twin.bank.listed.behave();
    twin.bank.listed.change(sessionId, { createdAt: new Date(`${monday}T12:00:00+01:00`) });
    await workNight(night(wednesday));
    await workNight(night("2026-03-05"));
    expect((await runs()).filter(({ date }) => date === monday)).toMatchObject([
      { state: "exceptions" },
      { state: "exceptions" },
      { state: "clean", version: 3 },
    ]);
  });

  test("only live connections that are not retired are compared", async () => {
    await planNight(deps, night(monday));
    const { data } = (await operate("GET", "/operator/reconciliations")).json();
    expect(data.map((run: { connectionId: string }) => run.connectionId)).toEqual([connection]);
  });
});

describe("metrics", () => {
  const read = async (name: string) => {
    const gauge = reconciliationGauges(deps).find((one) => one.name === name);
    if (gauge === undefined) throw new Error(`no gauge ${name}`);
    return (await gauge.read()).filter(({ labels }) => labels["connection"] === connection);
  };
  const open = async () => {
    const readings = await read("jara_reconciliation_exceptions");
    return Object.fromEntries(readings.map(({ labels, value }) => [labels["kind"], value]));
  };
  const today = Temporal.Now.plainDateISO("Africa/Lagos");

  test("count what is open, by kind, and no longer what is resolved or closed", async () => {
    const first = await payOn(monday);
    const second = await payOn(monday);
    twin.bank.listed.lose(first.sessionId);
    twin.bank.listed.change(second.sessionId, { amount: 1 });
    const run = await app.compare(connection, monday);
    const none = { missing_with_us: 0, status_differs: 0, fee_differs: 0 };
    expect(await open()).toEqual({ ...none, missing_at_provider: 1, amount_differs: 1 });
    const missing = run.exceptions.find(({ kind }) => kind === "missing_at_provider");
    await operate("POST", `/operator/reconciliations/exceptions/${missing?.id}/resolve`, { reason: "Seen" });
    expect(await open()).toEqual({ ...none, missing_at_provider: 0, amount_differs: 1 });
    twin.bank.listed.change(second.sessionId, { amount: 250_000 });
    await app.compare(connection, monday);
    expect(await open()).toEqual({ ...none, missing_at_provider: 0, amount_differs: 0 });
  });

  test("tell how long ago the last clean day was", async () => {
    const age = async () => (await read("jara_reconciliation_clean_age_days"))[0]?.value;
    const since = (date: string) => Temporal.PlainDate.from(date).until(today, { largestUnit: "day" }).days;
    expect(await age()).toBe(since(monday));
    const { sessionId } = await payOn(wednesday);
    twin.bank.listed.lose(sessionId);
    await app.compare(connection, tuesday);
    const run = await app.compare(connection, wednesday);
    expect(await age()).toBe(since(tuesday));
    const [exception] = run.exceptions;
    await operate("POST", `/operator/reconciliations/exceptions/${exception?.id}/resolve`, { reason: "Seen" });
    expect(await age()).toBe(since(wednesday));
  });

  test("are on the page that Prometheus reads", async () => {
    const page = (await app.app.inject({ method: "GET", url: "/metrics" })).body;
    expect(page).toMatch(/jara_reconciliation_exceptions\{connection="[^"]+",provider="paystack",mode="live"/);
    expect(page).toContain("jara_reconciliation_clean_age_days{");
  });
});
