import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import { checkAddress, checkBalance } from "./check-connection.ts";
import type { ConnectionMode } from "./provider.ts";

const hosts = { live: ["api.acme.ng", "api2.acme.ng"], test: ["sandbox.acme.ng"] };

function check(mode: ConnectionMode, baseUrl: string) {
  return checkAddress({ connectionId: "c", mode, baseUrl, credentials: {} }, hosts);
}

describe("the address of a connection", () => {
  test.each<[ConnectionMode, string, "ok" | "failed"]>([
    ["live", "https://api.acme.ng", "ok"],
    ["live", "https://api2.acme.ng/v1", "ok"],
    ["live", "https://API.ACME.NG", "ok"],
    ["test", "https://sandbox.acme.ng:8443", "ok"],
    ["live", "https://sandbox.acme.ng", "failed"],
    ["test", "https://api.acme.ng", "failed"],
    ["test", "https://api2.acme.ng/sandbox.acme.ng", "failed"],
    ["live", "https://proxy.example.com", "ok"],
    ["test", "https://proxy.example.com", "ok"],
  ])("in mode %s at %s: %s", (mode, baseUrl, result) => {
    expect(check(mode, baseUrl).result).toBe(result);
  });

  test("that is the other mode's is named, so that nobody pays for real by mistake", () => {
    expect(check("test", "https://api.acme.ng").message).toBe(
      "api.acme.ng is the provider's live address; the mode is test.",
    );
  });
});

describe("the balance of a connection", () => {
  test("that was told is shown in naira", () => {
    expect(checkBalance({ available: kobo(123_456_789n) })).toEqual({
      name: "balance",
      result: "ok",
      message: "The balance is NGN 1234567.89.",
    });
  });

  test("of nothing is a balance", () => {
    expect(checkBalance({ available: kobo(0n) })).toMatchObject({ result: "ok", message: "The balance is NGN 0.00." });
  });

  test("that was not told fails the check", () => {
    expect(checkBalance(null)).toMatchObject({ result: "failed" });
  });

  test("that is refused tells why", () => {
    expect(checkBalance({ reason: "keys_refused", message: "Invalid key" })).toMatchObject({
      result: "failed",
      message: "keys_refused: Invalid key",
    });
  });
});
