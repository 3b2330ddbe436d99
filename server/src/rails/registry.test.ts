import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import { Problem } from "../platform/problem.ts";
import type { CardRail } from "./card.ts";
import { withCardTimeLimits } from "./card-time-limits.ts";
import { withIdentityTimeLimit } from "./identity-time-limits.ts";
import { withMessageTimeLimit } from "./message-time-limits.ts";
import { bankRailFor, billerRailFor, cardRailFor, identityRailFor, messageRailFor } from "./registry.ts";

const none = { SANDBOX: null, LIVE: null };
const noRails = { bank: none, biller: none, card: none, message: none, identity: none };

test.each([bankRailFor, billerRailFor, cardRailFor, messageRailFor, identityRailFor])(
  "%o refuses an environment that has no rail",
  (railFor) => {
    let refusal: unknown;
    try {
      railFor(noRails, "LIVE");
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({ code: "rail_not_configured", headers: { "retry-after": "3600" } });
  },
);

describe("a rail that does not answer", () => {
  const silent = () => new Promise<never>(() => {});
  const broken = () => Promise.reject(new Error("503 Service Unavailable"));
  const environmentId = "e";
  const question = { environmentId, bvn: "1", nin: null, firstName: "a", lastName: "b", dateOfBirth: null };
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
      tokenizePath: "/",
      link: call,
      charge: call,
      query: call,
      refund: call,
      unlink: call,
    };
    const card = withCardTimeLimits(rail, { linkMs: 5, chargeMs: 5, queryMs: 5 }, report);
    const amount = kobo(1n);
    expect(
      await Promise.all([
        card.link({ environmentId, linkId: "l", customerId: "c", cardToken: "t" }),
        card.charge({ environmentId, chargeId: "c", token: "t", amount, narration: "n" }),
        card.query({ environmentId, chargeId: "c" }),
        card.refund({ environmentId, refundId: "r", chargeId: "c", amount }),
        card.unlink({ environmentId, token: "t" }),
      ]),
    ).toEqual(Array.from({ length: 5 }, () => ({ outcome: "unknown" })));
    expect(errors).toHaveLength(reported * 5);
    const gateway = withMessageTimeLimit({ name: "test", deduplicatesByMessage: true, send: call }, 5, report);
    expect(await gateway.send(message)).toEqual({ outcome: "unknown" });
    const register = withIdentityTimeLimit({ name: "test", verify: call }, 5, report);
    expect(await register.verify(question)).toEqual({ outcome: "unavailable" });
    expect(errors).toHaveLength(reported * 7);
  });
});
