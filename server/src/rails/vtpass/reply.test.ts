/** What every reply of VTpass has in common: a code that can be trusted, a hold on our account, or nothing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { billCategories } from "../biller.ts";
import type { WireReply } from "../provider-client.ts";
import { failedCodes, holdCodes, neverSeen, processed, refusalCodes, reversed } from "./codes.ts";
import { holdIn, readReply, wordsIn } from "./reply.ts";
import { type SoldCategory, serviceIdOf, servicesOf, soldCategories } from "./service-ids.ts";

const reply = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });

describe("a reply is read", () => {
  test.each([200, 201, 299, 400, 404, 422])("by its code with status %i", (status) => {
    const body = { code: processed, content: {} };
    expect(readReply(reply(status, body))).toEqual({ kind: "code", code: processed, body });
  });

  test.each([100, 300, 302, 405, 409, 429, 500, 502, 503])("as nothing with status %i, whatever it says", (status) => {
    expect(readReply(reply(status, { code: processed }))).toEqual({ kind: "nothing" });
    expect(readReply(reply(status, { code: "016" }))).toEqual({ kind: "nothing" });
  });

  test.each([undefined, null, "000", [], ["000"], {}, { code: 0 }, { code: null }, { code: ["000"] }, { Code: "000" }])(
    "as nothing when the body is %j: 0 is not 000",
    (body) => {
      expect(readReply(reply(200, body))).toEqual({ kind: "nothing" });
    },
  );

  test("without the blanks around its code", () => {
    expect(readReply(reply(200, { code: " 000\n" }))).toMatchObject({ kind: "code", code: "000" });
  });

  test.each(["not_sent", "no_answer"] as const)("as nothing when it is %s", (kind) => {
    expect(readReply({ kind, why: "the line is dead" })).toEqual({ kind: "nothing" });
  });

  test("so that it never settles an order by anything but a text in an answer of ours", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, body) => {
        const read = readReply(reply(status, body));
        if (read.kind === "nothing") return;
        expect(status < 300 || [400, 404, 422].includes(status)).toBe(true);
        expect(read.code).toBe((body as { code: string }).code.trim());
      }),
    );
  });
});

describe("a hold", () => {
  test.each([...holdCodes])("with code %s is %s, whatever the status below 500", (code, reason) => {
    for (const status of [200, 400, 401, 404, 429]) {
      const hold = { reason, message: "Said so" };
      const body = { code, response_description: "Said so" };
      expect(holdIn(status, body)).toEqual(hold);
      expect(readReply(reply(status, body))).toEqual({ kind: "nothing", hold });
    }
  });

  test.each([...holdCodes.keys()])("with code %s is not believed of a server that is broken", (code) => {
    expect(holdIn(500, { code })).toBeUndefined();
    expect(holdIn(503, { code })).toBeUndefined();
  });

  test.each([401, 403])("comes with status %i alone, and then it is our keys", (status) => {
    const message = `VTpass replied with status ${status}`;
    expect(holdIn(status, undefined)).toEqual({ reason: "keys_refused", message });
    expect(holdIn(status, { code: processed })).toEqual({ reason: "keys_refused", message });
  });

  test("is not what stands for an order: no code means two things", () => {
    const ofOrders = [processed, reversed, neverSeen, ...failedCodes.keys(), ...refusalCodes.keys()];
    expect(new Set(ofOrders).size).toBe(ofOrders.length);
    for (const code of ofOrders) {
      expect(holdCodes.has(code)).toBe(false);
      expect(holdIn(200, { code })).toBeUndefined();
    }
  });
});

describe("the provider's words", () => {
  test("are its description, or its message where there is none", () => {
    expect(wordsIn({ response_description: "LOW WALLET", message: "other" })).toBe("LOW WALLET");
    expect(wordsIn({ response_description: "  ", message: "other" })).toBe("other");
    expect(wordsIn({ message: "other" })).toBe("other");
  });

  test.each([undefined, null, {}, [], "LOW WALLET", { message: "" }, { message: { text: "no" } }])(
    "are none in %j",
    (body) => {
      expect(wordsIn(body)).toBeUndefined();
    },
  );

  test("carry no number of a customer", () => {
    expect(wordsIn({ message: "Phone 08031234567 is barred" })).toBe("Phone … is barred");
  });
});

describe("what VTpass sells", () => {
  const sold = Object.keys(soldCategories) as SoldCategory[];

  test("is all but betting", () => {
    expect(billCategories.filter((category) => !(category in soldCategories))).toEqual(["betting"]);
    expect(serviceIdOf("betting", "bet9ja")).toBeUndefined();
  });

  test.each(sold)("of %s is found by our provider's code, exactly as written", (category) => {
    for (const { provider, serviceId } of servicesOf(category)) {
      expect(serviceIdOf(category, provider)).toBe(serviceId);
      expect(serviceIdOf(category, ` ${provider}`)).toBeUndefined();
    }
    expect(serviceIdOf(category, "toString")).toBeUndefined();
    expect(serviceIdOf(category, "")).toBeUndefined();
  });

  test("has a service of its own for each provider in each category", () => {
    const services = sold.flatMap((category) => servicesOf(category).map(({ serviceId }) => serviceId));
    expect(new Set(services).size).toBe(services.length);
  });

  test("calls 9mobile by its old name, and data apart from airtime", () => {
    expect(serviceIdOf("airtime", "9MOBILE")).toBe("etisalat");
    expect(serviceIdOf("data", "9MOBILE")).toBe("etisalat-data");
    expect(serviceIdOf("data", "MTN")).toBe("mtn-data");
    expect(serviceIdOf("electricity", "ikeja-electric")).toBe("ikeja-electric");
  });
});
