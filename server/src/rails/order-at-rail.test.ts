import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import { type OrderAtRail, presentRail } from "./order-at-rail.ts";
import { portInPath } from "./port-in-path.ts";

const order: OrderAtRail = {
  connectionId: "01998a4e-0000-7000-8000-000000000001",
  orderId: "999001261103101500000000000042",
  providerReference: "TRF_1",
  networkSessionId: null,
  fee: kobo(1_075n),
};
const connections = {
  find: async (id: string) => (id === order.connectionId ? { connection: { provider: "paystack" } } : undefined),
};

describe("an order at its provider", () => {
  test("is shown with the provider's name and the fee in naira", async () => {
    expect(await presentRail(connections, order)).toEqual({ ...order, provider: "paystack", fee: 10.75 });
  });

  test("that costs nothing is told from one whose fee is not known", async () => {
    expect(await presentRail(connections, { ...order, fee: kobo(0n) })).toMatchObject({ fee: 0 });
    expect(await presentRail(connections, { ...order, fee: null })).toMatchObject({ fee: null });
  });

  test("of a connection that this process has not heard of is shown all the same", async () => {
    const elsewhere = { ...order, connectionId: "01998a4e-0000-7000-8000-00000000dead" };
    expect(await presentRail(connections, elsewhere)).toMatchObject({ provider: "unknown", orderId: order.orderId });
  });
});

describe("a port in an address", () => {
  const { read, schema } = portInPath(["bank", "card"]);

  test("is one of those that there are", () => {
    expect(read("bank")).toBe("bank");
    expect(read("card")).toBe("card");
    expect(schema).toMatchObject({ description: "One of bank, card." });
  });

  test.each(["", "Bank", "bank ", "biller", "constructor", "0", "bank/card"])("is not %j, a wrong field", (word) => {
    expect(() => read(word)).toThrow(
      expect.objectContaining({
        code: "validation_failed",
        errors: [{ field: "port", message: "must be one of bank, card" }],
      }),
    );
  });
});
