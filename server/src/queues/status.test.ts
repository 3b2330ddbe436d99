import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { readStatus, type SeenConnection } from "./status.ts";

const now = new Date("2026-11-17T12:00:00Z");
const since = new Date("2026-11-17T10:00:00Z");
const live: SeenConnection = {
  id: "a",
  mode: "live",
  state: "active",
  ports: ["bank"],
  checksPassed: true,
  hold: null,
  float: null,
};
const queue = {
  kind: "deliveries",
  says: "Webhooks that are due",
  slowSeconds: 60,
  environment: "LIVE",
  depth: 5,
  oldestSeconds: 0,
  misdated: 0,
} as const;
const seen = { connections: [live], isAnswering: () => true, queues: [queue], incidents: [], now };

describe("the status of the house", () => {
  test.each([
    ["an open connection", [live], "working", null],
    ["a held one", [{ ...live, hold: { since } }], "not_working", since],
    ["a paused one", [{ ...live, state: "paused" }], "not_working", null],
    ["one of two that is held", [live, { ...live, id: "b", hold: { since } }], "slow", since],
    ["one whose checks failed", [{ ...live, checksPassed: false }], "not_working", null],
  ])("%s", (_, connections, condition, from) => {
    expect(readStatus({ ...seen, connections }).rails).toEqual([
      { part: "bank", name: "Payouts to banks", condition, since: from },
    ]);
  });

  test("a connection that gets no answers is not working, a test connection or a retired one is nobody's rail", () => {
    expect(readStatus({ ...seen, isAnswering: () => false }).condition).toBe("not_working");
    const others = [
      { ...live, mode: "test" },
      { ...live, state: "retired" },
    ];
    expect(readStatus({ ...seen, connections: others }).rails).toEqual([]);
  });

  test("old work is slow, very old work stands still, since its oldest waits", () => {
    const slow = readStatus({ ...seen, queues: [{ ...queue, oldestSeconds: 120 }] });
    expect(slow).toMatchObject({ condition: "slow", work: [{ since: new Date("2026-11-17T11:58:00Z") }] });
    expect(readStatus({ ...seen, queues: [{ ...queue, oldestSeconds: 6_000 }] }).condition).toBe("not_working");
  });

  test("work that the public has no name for is not told to it", () => {
    expect(readStatus({ ...seen, queues: [{ ...queue, kind: "gift_cards", oldestSeconds: 6_000 }] }).work).toEqual([]);
  });

  test("sandboxes are not shown to everybody", () => {
    expect(readStatus({ ...seen, queues: [{ ...queue, environment: "SANDBOX" }] }).work).toEqual([]);
  });
});

describe("/status", async () => {
  const { app } = await createTestApp();
  const ask = (accept: string) => app.inject({ url: "/status", headers: { accept } });

  test("is a page for a person, without a key, without script, and tells nothing about merchants", async () => {
    const reply = await ask("text/html,application/xhtml+xml");
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(reply.body).toContain("Everything works");
    expect(reply.body).toContain("no real rail is connected");
    expect(reply.body).not.toContain("Mama Put");
    expect(reply.body).not.toContain("<script");
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  test("is JSON for a program", async () => {
    const reply = await ask("application/json");
    expect(reply.json()).toMatchObject({ condition: "working", rails: [], incidents: [] });
    expect(reply.json().work).toContainEqual({ name: "Sending payouts", condition: "working", since: null });
    expect(reply.headers["cache-control"]).toBe("public, max-age=5");
  });

  test("says the same to all who ask within seconds: it was read once", async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, () => ask("application/json")));
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
  });
});
