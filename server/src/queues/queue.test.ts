import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Incident } from "../incidents/incident.ts";
import { partNames, railParts, workParts } from "../incidents/part.ts";
import { keysOf } from "../platform/keys-of.ts";
import { house } from "../start/slices.ts";
import { beatEveryMs, isAlive } from "./process.ts";
import { stateOf } from "./queue.ts";
import type { Status, StatusLine } from "./status.ts";
import { contentSecurityPolicy, pageOf } from "./status-page.ts";
import { findTroubles } from "./watch-incidents.job.ts";

const at = new Date("2026-11-17T12:00:00.000Z");
const kinds = Object.keys(house.queues);

describe("how a queue is doing", () => {
  test.each(kinds)("%s is slow from its age on, and stands still from ten times that on", (kind) => {
    const slowSeconds = house.queues[kind]?.slowSeconds ?? 0;
    const state = (oldestSeconds: number) => stateOf({ slowSeconds, oldestSeconds });
    expect([state(0), state(slowSeconds - 0.001)]).toEqual(["ok", "ok"]);
    expect([state(slowSeconds), state(slowSeconds * 10 - 0.001)]).toEqual(["slow", "slow"]);
    expect([state(slowSeconds * 10), state(Number.MAX_SAFE_INTEGER)]).toEqual(["stuck", "stuck"]);
  });

  test("never gets better by waiting", () => {
    const order = ["ok", "slow", "stuck"];
    const age = fc.integer({ min: 0, max: 2_000 });
    fc.assert(
      fc.property(fc.constantFrom(...kinds), age, age, (kind, one, other) => {
        const [younger, older] = [Math.min(one, other), Math.max(one, other)];
        const place = (oldestSeconds: number) =>
          order.indexOf(stateOf({ slowSeconds: house.queues[kind]?.slowSeconds ?? 0, oldestSeconds }));
        expect(place(younger)).toBeLessThanOrEqual(place(older));
      }),
    );
  });

  test("is told to the public under a name of each kind", () => {
    expect(Object.keys(workParts).sort()).toEqual([...kinds].sort());
    for (const part of [...keysOf(railParts), ...keysOf(workParts)]) expect(partNames[part]).toBeDefined();
  });
});

test("a process is silent after three beats that did not come, and not after one that is late", () => {
  const beat = beatEveryMs / 1_000;
  expect(isAlive({ silentSeconds: 0 })).toBe(true);
  expect(isAlive({ silentSeconds: 3 * beat })).toBe(true);
  expect(isAlive({ silentSeconds: 4 * beat })).toBe(false);
});

describe("a trouble that the public is told of", () => {
  const line = (part: StatusLine["part"], condition: StatusLine["condition"]): StatusLine => ({
    part,
    name: partNames[part],
    condition,
    since: at,
  });
  const found = findTroubles({
    rails: [line("bank", "slow"), line("card", "working")],
    work: [line("transfers", "not_working")],
    connections: [],
    booksAreRight: false,
  });

  test("names what is touched and since when, and nothing of what works", () => {
    expect(found).toEqual([
      {
        cause: "rail.bank",
        title: "Payouts to banks: disturbed",
        condition: "slow",
        parts: ["bank"],
        since: at,
        shownAfterSeconds: 300,
      },
      {
        cause: "work.transfers",
        title: "Sending payouts: delayed",
        condition: "not_working",
        parts: ["transfers"],
        since: at,
        shownAfterSeconds: 120,
      },
      expect.objectContaining({ cause: "books", parts: ["books"], shownAfterSeconds: 0 }),
    ]);
  });

  test("waits as long as the alert that wakes a person", () => {
    const rules = readFileSync(new URL("../../../deploy/prometheus/alerts.yml", import.meta.url), "utf8");
    const minutesOf = (alert: string) => {
      const [, minutes = ""] = new RegExp(`alert: ${alert}\\b[\\s\\S]*?for: (\\d+)m`).exec(rules) ?? [];
      return Number(minutes);
    };
    expect(minutesOf("JaraConnectionClosed") * 60).toBe(found[0]?.shownAfterSeconds);
    expect(minutesOf("JaraQueueSlow") * 60).toBe(found[1]?.shownAfterSeconds);
  });

  test("tells of each thing once, so that several workers agree about it", () => {
    const causes = found.map(({ cause }) => cause);
    expect(new Set(causes).size).toBe(causes.length);
  });
});

describe("the page of the status", () => {
  const status: Status = { condition: "working", rails: [], work: [], incidents: [], at };
  const incident: Incident = {
    id: "i1",
    source: "operator",
    title: "<script>alert(1)</script>",
    condition: "not_working",
    parts: ["bank", "api"],
    state: "identified",
    startedAt: new Date("2026-11-17T10:00:00.000Z"),
    endedAt: null,
    withdrawnAt: null,
    createdAt: at,
    updates: [{ state: "identified", message: `"><img src=x onerror='x'>`, writtenBy: "ops@jara.test", writtenAt: at }],
  };

  test.each([
    ["working", "Everything works"],
    ["slow", "Some things are slow"],
    ["not_working", "Something is not working"],
  ] as const)("says of %s: %s", (condition, headline) => {
    expect(pageOf({ ...status, condition })).toContain(`<h1 class="${condition}">${headline}</h1>`);
  });

  test("runs nothing that an operator wrote, and does not say who did", () => {
    const page = pageOf({ ...status, incidents: [incident] });
    expect(page).not.toMatch(/<script|<img|ops@jara/);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).not.toContain("unsafe");
  });

  test("shows what is open above what is over, in the time of Lagos", () => {
    const over = { ...incident, id: "i2", title: "Earlier", endedAt: at };
    const page = pageOf({ ...status, incidents: [over, incident] });
    expect(page.indexOf("<h2>Now</h2>")).toBeLessThan(page.indexOf("&lt;script&gt;"));
    expect(page.indexOf("&lt;script&gt;")).toBeLessThan(page.indexOf("Earlier"));
    expect(page).toContain("since 2026-11-17 11:00");
    expect(page).toContain("Payouts to banks, API · Not working");
  });

  test.each([
    ["2026-11-17T10:00:20.000Z", "for 1 min"],
    ["2026-11-17T10:59:00.000Z", "for 59 min"],
    ["2026-11-17T11:05:00.000Z", "for 1 h 5 min"],
    ["2026-11-18T09:59:00.000Z", "for 23 h 59 min"],
    ["2026-11-19T13:00:00.000Z", "for 2 d 3 h"],
  ])("says how long one lasted that ended at %s: %s", (endedAt, words) => {
    const page = pageOf({ ...status, incidents: [{ ...incident, endedAt: new Date(endedAt) }] });
    expect(page).toContain(words);
    expect(page).not.toContain("<h2>Now</h2>");
  });

  test("says that nothing real is connected where that is so", () => {
    expect(pageOf(status)).toContain("no real rail is connected");
    expect(pageOf(status)).toContain("<p>None.</p>");
  });
});
