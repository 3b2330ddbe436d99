/** Queues, processes and waiting decisions as operators read them. */
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { house } from "../start/slices.ts";
import type { Decision } from "./decision-store.ts";
import type { OurProcess } from "./process.ts";
import {
  decisionDataOf,
  decisionsQueryOf,
  presentDecision,
  presentProcess,
  presentQueue,
  processData,
  processesData,
  queueDataOf,
} from "./routes.ts";

const id = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const at = new Date("2026-11-03T09:15:00.000Z");
const kinds = Object.entries(house.queues);
const decisionData = decisionDataOf(house.decisions);
const decisionsQuery = decisionsQueryOf(house.decisions);

describe("a queue", () => {
  const complaints = complaintsOf(queueDataOf(house.queues));

  test.each(kinds)("of %s is shown with what waits in it, and fits the document", (kind, described) => {
    const shown = presentQueue({ ...described, kind, environment: "LIVE", depth: 3, oldestSeconds: 0.4, misdated: 2 });
    const { says } = described;
    expect(shown).toEqual({ kind, environment: "LIVE", depth: 3, oldestSeconds: 0.4, misdated: 2, says, state: "ok" });
    expect(complaints(shown)).toEqual({});
  });

  test.each(kinds)("of %s is slow from its own age on, and stuck at ten times that", (kind, described) => {
    const { slowSeconds } = described;
    const stateAt = (oldestSeconds: number) =>
      presentQueue({ ...described, kind, environment: "SANDBOX", depth: 1, oldestSeconds, misdated: 0 }).state;
    expect(stateAt(slowSeconds - 0.001)).toBe("ok");
    expect(stateAt(slowSeconds)).toBe("slow");
    expect(stateAt(10 * slowSeconds - 0.001)).toBe("slow");
    expect(stateAt(10 * slowSeconds)).toBe("stuck");
  });

  test("that is deep and young is well", () => {
    const jobs = { kind: "jobs", says: "Jobs", slowSeconds: 30 };
    expect(presentQueue({ ...jobs, environment: "LIVE", depth: 100_000, oldestSeconds: 1, misdated: 0 }).state).toBe(
      "ok",
    );
  });
});

describe("a process", () => {
  const one: OurProcess = {
    id,
    role: "worker",
    version: "0.3.0",
    host: "jara-1",
    pid: 4242,
    clockAheadMs: 2,
    startedAt: at,
    heardAt: at,
    silentSeconds: 4,
  };

  test("is shown with its clock in seconds, and not with how we count its silence", () => {
    const shown = presentProcess(one);
    expect(shown).toEqual({
      id,
      role: "worker",
      version: "0.3.0",
      host: "jara-1",
      pid: 4242,
      alive: true,
      clockAheadSeconds: 0.002,
      startedAt: at.toISOString(),
      heardAt: at.toISOString(),
    });
    expect(complaintsOf(processData)(shown)).toEqual({});
  });

  test.each([
    [0, true],
    [35, true],
    [35.001, false],
    [86_400, false],
  ])("that has been silent for %d seconds is alive: %s", (silentSeconds, alive) => {
    expect(presentProcess({ ...one, silentSeconds }).alive).toBe(alive);
  });

  test("whose clock is behind has a negative lead", () => {
    expect(presentProcess({ ...one, clockAheadMs: -1_500 }).clockAheadSeconds).toBe(-1.5);
  });

  test("stands beside the copies of the database, whose delay may be hidden from us", () => {
    const standby = { name: "jara_2", connected: true, behindBytes: 0, behindSeconds: null };
    const complaints = complaintsOf(processesData);
    expect(complaints({ processes: [presentProcess(one)], standbys: [standby] })).toEqual({});
    expect(complaints({ processes: [], standbys: [{ ...standby, behindSeconds: 0.01 }] })).toEqual({});
    expect(complaints({ processes: [] })).toEqual({ standbys: "is required" });
  });
});

describe("a decision that waits", () => {
  const decision: Decision = {
    kind: "loan",
    id,
    customerId: null,
    environmentId: id,
    environment: "LIVE",
    merchantId: id,
    merchant: "Mama Put Foods",
    name: "Adaeze Okafor",
    amount: 25_000_050n,
    detail: "12 months",
    since: at,
    ageSeconds: 4_210.5,
  };

  test.each(house.decisions)("about a %s is shown with its merchant, in naira", (kind) => {
    const shown = presentDecision({ ...decision, kind });
    expect(shown).toMatchObject({
      kind,
      merchant: { id, name: "Mama Put Foods" },
      amount: 250_000.5,
      since: at.toISOString(),
    });
    expect(shown).not.toHaveProperty("merchantId");
    expect(complaintsOf(decisionData)(shown)).toEqual({});
  });

  test("may be about no money and need no further words", () => {
    const shown = presentDecision({ ...decision, kind: "identity", amount: null, detail: null, customerId: id });
    expect([shown.amount, shown.detail, shown.customerId]).toEqual([null, null, id]);
    expect(complaintsOf(decisionData)(shown)).toEqual({});
  });

  test("is about nothing when it is about no kobo, which is not the same as about no money", () => {
    expect(presentDecision({ ...decision, amount: 0n }).amount).toBe(0);
  });

  test.each([{}, { kind: "loan" }, { environment: "LIVE" }, { kind: "identity", environment: "SANDBOX" }])(
    "is looked for with %j",
    (query) => {
      expect(complaintsOf(decisionsQuery, "query")(query)).toEqual({});
    },
  );

  test.each([{ kind: "payout" }, { kind: "" }, { environment: "live" }])("is not looked for with %j", (query) => {
    expect(Object.keys(complaintsOf(decisionsQuery, "query")(query))).toEqual(Object.keys(query));
  });
});
