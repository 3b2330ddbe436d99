/** What a caller is told while somebody else is at it: under the same Idempotency-Key, or in the same sandbox. */
import { Type } from "typebox";
import { expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";
import { describeRoute } from "../route.ts";

let started = Promise.withResolvers<void>();
let finish = Promise.withResolvers<void>();

/** A write that takes as long as the test likes. */
const slow = describeRoute("key", {
  method: "POST",
  path: "/slow",
  operationId: "slow",
  tag: "Sandbox",
  scope: "sandbox:write",
  summary: "Slow",
  description: "For tests.",
  reply: { status: 200, message: "Done.", data: Type.Object({}) },
  handle: ({ write }) =>
    write(async () => {
      started.resolve();
      await finish.promise;
      return { data: {} };
    }),
});

const { call } = await createTestApp({ extraRoutes: [slow] });

/** Begins it; `started` resolves when it is under way. */
function begin(headers: Readonly<Record<string, string>> = {}) {
  started = Promise.withResolvers<void>();
  finish = Promise.withResolvers<void>();
  return call("POST", "/slow", { headers });
}

test("a twin under the same Idempotency-Key is told to ask again", async () => {
  const headers = { "idempotency-key": "once" };
  const first = begin(headers);
  await started.promise;
  const twin = await call("POST", "/slow", { headers });
  expect([twin.statusCode, twin.json().code, twin.headers["retry-after"]]).toEqual([
    409,
    "idempotency_key_in_use",
    "1",
  ]);
  finish.resolve();
  expect((await first).statusCode).toBe(200);
  expect((await call("POST", "/slow", { headers })).headers["idempotent-replayed"]).toBe("true");
});

test("a frozen sandbox takes its writes in line, and no more than a line is long", async () => {
  await call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "s" } });
  const first = begin();
  await started.promise;
  // Some move money, and most do nothing: a thousand postings would prove no more.
  const line = Array.from({ length: 1_001 }, (_, place) =>
    place % 50 === 0 ? call("POST", "/sandbox/wallets/fund", { body: { amount: 1 } }) : call("POST", "/slow"),
  );
  const told: string[] = [];
  for (const one of line) void one.then((reply) => told.push(`${reply.statusCode} ${reply.json().code ?? ""}`));
  const turnedAway = await Promise.race(line);
  expect([turnedAway.statusCode, turnedAway.json().code]).toEqual([429, "environment_busy"]);
  // The thousand others are in line, and none of them has been told anything yet.
  expect(told).toEqual(["429 environment_busy"]);
  finish.resolve();
  await first;
  const replies = await Promise.all(line);
  const funded = replies.filter(({ statusCode }) => statusCode === 201).length;
  // On a machine that stands still some may have waited for longer than anybody has to.
  const others = new Set(told.filter((one) => !/^20[01] /.test(one)));
  expect([...others]).toEqual(["429 environment_busy"]);
  expect(funded).toBeGreaterThan(0);
  expect((await call("GET", "/wallets/balance")).json().data.available).toBe(funded);
});
