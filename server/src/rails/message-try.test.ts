import { describe, expect, test } from "vitest";
import { deskOf } from "./desk.ts";
import type { MessageRail } from "./message.ts";
import { openTry, tryLastsSeconds } from "./message-try.ts";
import { messageTimeLimitMs } from "./time-limits.ts";

const user = { environmentId: "e", kind: "LIVE" } as const;

const railsWith = (deduplicatesByMessage: boolean) => {
  const rail: MessageRail = { name: "told", deduplicatesByMessage, send: async () => ({ outcome: "unknown" }) };
  return { rail, rails: { message: deskOf({ SANDBOX: null, LIVE: rail }) } };
};

describe("a try to send a message", () => {
  test.each([0, 1, 2, 50])("after %i others harms nobody at a gateway that knows our ids", async (tries) => {
    const { rail, rails } = railsWith(true);
    expect(await openTry(rails, user, tries)).toEqual({ rail, after: null });
  });

  test.each([0, 1])("after %i others counts only if no other was made meanwhile", async (tries) => {
    const { rail, rails } = railsWith(false);
    expect(await openTry(rails, user, tries)).toEqual({ rail, after: tries });
  });

  test.each([2, 3, 1_000])("after %i others would be one message too many", async (tries) => {
    expect(await openTry(railsWith(false).rails, user, tries)).toBeNull();
  });

  test("is refused where no gateway is connected", async () => {
    const sandbox = { ...user, kind: "SANDBOX" } as const;
    await expect(openTry(railsWith(true).rails, sandbox, 0)).rejects.toMatchObject({ code: "rail_not_configured" });
  });

  test("has ended for sure before another may begin", () => {
    expect(tryLastsSeconds * 1_000).toBeGreaterThan(messageTimeLimitMs * 2);
  });
});
