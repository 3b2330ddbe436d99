import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import { Problem } from "../platform/problem.ts";
import type { CardRail } from "./card.ts";
import { deskOf, openRail } from "./desk.ts";
import { withCardTimeLimits, withIdentityTimeLimit, withMessageTimeLimit } from "./time-limits.ts";

const desk = deskOf<string>({ SANDBOX: "simulated", LIVE: null });
const sandbox = { environmentId: "s", kind: "SANDBOX" } as const;
const live = { environmentId: "l", kind: "LIVE" } as const;

test("an environment without a rail is refused, and told when to come back", async () => {
  expect(await desk.find(live)).toBe("not_connected");
  expect(await desk.plain(live)).toBeNull();
  const refusal = await openRail(desk, live).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({ code: "rail_not_configured", headers: { "retry-after": "3600" } });
});

test("where everything that is connected is closed, work is refused for a minute", async () => {
  const closed = { ...desk, find: async () => "closed" as const };
  const refusal = await openRail(closed, live).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal).toMatchObject({ code: "unavailable", status: 503, headers: { "retry-after": "60" } });
  // Text messages and cards come here too: no wallet is spoken of.
  const message = "The provider takes no orders at the moment. Nothing was done. Try again later.";
  expect(refusal).toMatchObject({ message });
});

test("an environment with one rail needs no choice, and finds its orders there", async () => {
  expect(await openRail(desk, sandbox)).toEqual({ connectionId: null, rail: "simulated" });
  expect(await desk.plain(sandbox)).toBe("simulated");
  expect(await desk.bound(sandbox, null)).toBe("simulated");
});

test.each([
  [live, null],
  [sandbox, "01998a4e-0000-7000-8000-000000000000"],
])("an order of nobody's connection is a mistake of ours", async (user, connectionId) => {
  await expect(desk.bound(user, connectionId)).rejects.toThrow("no rail is at hand");
});

describe("a rail that does not answer", () => {
  const silent = () => new Promise<never>(() => {});
  const broken = () => Promise.reject(new Error("503 Service Unavailable"));
  const environmentId = "e";
  const question = {
    environmentId,
    bvn: "1",
    nin: null,
    firstName: "a",
    lastName: "b",
    phone: "+2348031234567",
    dateOfBirth: null,
  };
  const message = { environmentId, messageId: "m", channel: "sms", to: "+2348031234567", text: "t" } as const;

  test.each([
    ["is late", silent, 0],
    ["fails", broken, 1],
  ])("because it %s leaves everything unknown", async (_, call, reported) => {
    const errors: unknown[] = [];
    const report = (error: unknown) => errors.push(error);
    const rail: CardRail = {
      name: "test",
      deduplicatesByCharge: true,
      settleWindowMs: 0,
      tokenizePath: () => "/",
      link: call,
      charge: call,
      query: call,
      refund: call,
      queryRefund: call,
      unlink: call,
    };
    const card = withCardTimeLimits(rail, { linkMs: 5, chargeMs: 5, queryMs: 5 }, report);
    const amount = kobo(1n);
    expect(
      await Promise.all([
        card.link({ environmentId, linkId: "l", customerId: "c", cardToken: "t" }),
        card.charge({ environmentId, chargeId: "c", token: "t", amount, narration: "n" }),
        card.query({ environmentId, chargeId: "c", amount }),
        card.refund({ environmentId, refundId: "r", chargeId: "c", amount }),
        card.queryRefund({ environmentId, refundId: "r", chargeId: "c", amount }),
        card.unlink({ environmentId, token: "t" }),
      ]),
    ).toEqual(Array.from({ length: 6 }, () => ({ outcome: "unknown" })));
    expect(errors).toHaveLength(reported * 6);
    const gateway = withMessageTimeLimit({ name: "test", deduplicatesByMessage: true, send: call }, 5, report);
    expect(await gateway.send(message)).toEqual({ outcome: "unknown" });
    const register = withIdentityTimeLimit({ name: "test", verify: call }, 5, report);
    expect(await register.verify(question)).toEqual({ outcome: "unavailable" });
    expect(errors).toHaveLength(reported * 8);
  });
});
