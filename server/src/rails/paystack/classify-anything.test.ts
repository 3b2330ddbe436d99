import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../../money/kobo.ts";
import { keysOf } from "../../platform/keys-of.ts";
import type { WireReply } from "../provider-client.ts";
import { parseWireJson, textOf } from "../wire-json.ts";
import { classifyAccount, classifyQuery, classifyRecipient, classifySend, type Expected } from "./classify.ts";

const sessionId = "999201261116091500000000000001";
const expected: Expected = { sessionId, amount: kobo(250_000n), mode: "live" };
const account = { bankCode: "058", accountNumber: "0123456789" };
const record = { status: "success", reference: sessionId, amount: 250_000, currency: "NGN", domain: "live" };
const answer = (status: number, body: unknown): WireReply => ({ kind: "answer", status, body, headers: {} });

describe("whatever arrives", () => {
  const status = fc.oneof(fc.constantFrom(200, 201, 400, 401, 403, 404, 422, 429, 500, 502), fc.integer());
  const anyField = fc.oneof(fc.jsonValue(), fc.constantFrom("success", "failed", "reversed", true, false, null));
  const likely = fc.record(
    {
      status: anyField,
      message: anyField,
      code: anyField,
      type: anyField,
      data: fc.oneof(
        fc.jsonValue(),
        fc.record(
          {
            status: anyField,
            reference: fc.oneof(anyField, fc.constant(sessionId)),
            amount: fc.oneof(anyField, fc.constant(250_000), fc.constant("250000")),
            currency: fc.oneof(anyField, fc.constant("NGN")),
            domain: fc.oneof(anyField, fc.constantFrom("live", "test")),
            session: anyField,
            fee_charged: anyField,
            recipient_code: anyField,
            details: anyField,
            account_name: anyField,
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => parseWireJson(Buffer.from(array).toString("utf8")));
  const reply: fc.Arbitrary<WireReply> = fc.oneof(
    fc
      .record({ status, body: fc.oneof({ weight: 6, arbitrary: likely }, fc.jsonValue(), bytes) })
      .map(({ status: code, body }) => answer(code, body)),
    fc.constantFrom<WireReply>({ kind: "not_sent", why: "x" }, { kind: "no_answer", why: "x" }),
  );

  test("is one of our answers, and a success only with our facts", () => {
    fc.assert(
      fc.property(reply, (arrived) => {
        for (const classify of [classifySend, classifyQuery]) {
          const { outcome } = classify(arrived, expected);
          expect(["success", "failure", "unknown", "taken_back", "no_record"]).toContain(outcome);
          if (outcome !== "success") continue;
          expect(arrived).toMatchObject({
            kind: "answer",
            body: { status: true, data: { status: "success", reference: sessionId, currency: "NGN", domain: "live" } },
          });
        }
        expect(["recipient", "failure", "unknown"]).toContain(classifyRecipient(arrived, account).outcome);
        expect(["yes", "no", "unavailable"]).toContain(classifyAccount(arrived, account).found);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a change to one fact of a success is no success", () => {
    const facts = fc.constantFrom(...keysOf(record));
    fc.assert(
      fc.property(facts, fc.jsonValue(), (name, value) => {
        fc.pre(textOf(value)?.trim() !== String(record[name]));
        const changed = answer(200, { status: true, data: { ...record, [name]: value } });
        expect(classifyQuery(changed, expected).outcome).not.toBe("success");
      }),
      { numRuns: 1_000 },
    );
  });
});
