import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo } from "../money/kobo.ts";
import type { PaymentAnswer, QueryAnswer } from "./bank.ts";
import {
  asSent,
  classifyRecord,
  type Fact,
  type PaymentEnding,
  type PaymentRecord,
  traceFrom,
  unsettled,
  withWholeTrace,
} from "./payment-record.ts";

const endings: ReadonlyMap<string, PaymentEnding> = new Map([
  ["paid", "success"],
  ["LOST", "failure"],
  ["returned", "taken_back"],
]);
const trace = { providerReference: "TRF_1" };
const reasons = { LOST: "The bank lost it" };
const base: PaymentRecord = {
  provider: "Acme",
  word: "paid",
  endings,
  reasons,
  facts: [],
  trace,
  awaitsCode: undefined,
};
const fact = (changes: Partial<Fact> = {}): Fact => ({ name: "amount", value: "100", agrees: true, ...changes });
const classify = (changes: Partial<PaymentRecord>) => classifyRecord({ ...base, ...changes });

describe("a record whose facts agree with our order", () => {
  test("ends the payment by the provider's word, and keeps what it can be traced by", () => {
    expect(classify({ facts: [fact()] })).toEqual({ outcome: "success", trace });
  });

  test("tells people the reason that we have for the word, under a code in small letters", () => {
    expect(classify({ word: "LOST" })).toEqual({
      outcome: "failure",
      code: "payment_lost",
      message: "The bank lost it",
      trace,
    });
  });

  test("has a sentence also for a word that has no reason", () => {
    expect(classify({ word: "returned" })).toMatchObject({ outcome: "taken_back", message: "The payment failed" });
  });

  test.each(["", "pending", "PAID", " paid", "lost", "toString", "__proto__", "constructor"])(
    "stays open with the word %j, which ends nothing",
    (word) => {
      expect(classify({ word, facts: [fact()] })).toEqual({ outcome: "unknown", code: word, trace });
    },
  );

  test("holds the connection when the provider waits for a one-time password", () => {
    const awaitsCode = "Switch the code off";
    expect(classify({ word: "otp", awaitsCode })).toEqual({
      outcome: "unknown",
      code: "otp",
      trace,
      hold: { reason: "otp_required", message: awaitsCode },
      alarm: awaitsCode,
    });
  });

  test("is not held back by a password once the payment has ended", () => {
    expect(classify({ word: "paid", awaitsCode: "Switch the code off" })).toEqual({ outcome: "success", trace });
  });
});

describe("a record that is in doubt", () => {
  test.each(["paid", "LOST", "returned", "pending"])("settles nothing with another amount, said as %s", (word) => {
    const facts = [fact({ agrees: false })];
    const alarm = "Acme's record of the payment has another amount than our order";
    expect(classify({ word, facts })).toEqual({ outcome: "unknown", code: word, alarm, trace });
  });

  test.each([undefined, null])("settles nothing where a fact is %s", (value) => {
    const facts = [fact({ value, agrees: false })];
    expect(classify({ facts })).toMatchObject({
      outcome: "unknown",
      alarm: "Acme's record of the payment has no amount",
    });
  });

  test("is no cause for alarm while the payment is open and the fact is only missing", () => {
    const facts = [fact({ value: undefined, agrees: false })];
    expect(classify({ word: "pending", facts })).toEqual({ outcome: "unknown", code: "pending", trace });
  });

  test("may lack what some replies do not have", () => {
    const facts = [fact({ value: undefined, agrees: false, mayBeMissing: true })];
    expect(classify({ facts })).toEqual({ outcome: "success", trace });
  });

  test("may not have another value of what some replies do not have", () => {
    const facts = [fact({ value: "USD", name: "currency", agrees: false, mayBeMissing: true })];
    expect(classify({ facts })).toMatchObject({ outcome: "unknown", alarm: expect.stringContaining("currency") });
  });

  test("tells of the first doubt", () => {
    const facts = [fact(), fact({ name: "reference", agrees: false }), fact({ name: "mode", agrees: false })];
    expect(classify({ facts })).toMatchObject({ alarm: expect.stringContaining("another reference") });
  });

  test("zero and an empty text are values, not missing ones", () => {
    for (const value of [0, "", false]) {
      expect(classify({ facts: [fact({ value, agrees: false })] })).toMatchObject({
        alarm: expect.stringContaining("another amount"),
      });
    }
  });

  test("never ends a payment, whatever the facts and the word are", () => {
    const anyFact = fc.record({
      name: fc.constantFrom("amount", "reference", "currency"),
      value: fc.constantFrom<unknown>("x", 0, "", null, undefined),
      agrees: fc.boolean(),
    });
    const word = fc.constantFrom("paid", "LOST", "returned", "pending");
    fc.assert(
      fc.property(word, fc.array(anyFact, { maxLength: 5 }), (said, facts) => {
        const { outcome } = classify({ word: said, facts });
        const isSure = facts.every(({ agrees, value }) => agrees && value !== null && value !== undefined);
        expect(outcome).toBe(isSure ? (endings.get(said) ?? "unknown") : "unknown");
      }),
    );
  });
});

test("an order that was just sent and came back is a failure: it never was a success", () => {
  const back = { outcome: "taken_back", code: "payment_returned", message: "m", trace } as const;
  expect(asSent(back)).toEqual({ ...back, outcome: "failure" });
  for (const answer of [{ outcome: "success" }, { outcome: "unknown", code: "x" }] as const) {
    expect(asSent(answer)).toBe(answer);
  }
});

describe("what a payment can be traced by", () => {
  const session = "090405261116091512345678901234";

  test("is what the provider told, and no field that it did not", () => {
    expect(traceFrom("TRF_1", session, kobo(1_075n))).toEqual({
      providerReference: "TRF_1",
      networkSessionId: session,
      fee: 1_075n,
    });
    expect(traceFrom(undefined, undefined, undefined)).toEqual({});
    expect(traceFrom(undefined, undefined, kobo(0n))).toEqual({ fee: 0n });
  });

  test.each(["", "1", `${session}0`, session.slice(1), `${session.slice(1)}x`, ` ${session}`, `${session}\n`])(
    "is not the session %j, which no switch would know",
    (told) => {
      expect(traceFrom(undefined, told, undefined)).toEqual({});
    },
  );
});

describe("the whole trace of a payment that succeeded at once", () => {
  const success: PaymentAnswer = { outcome: "success", trace };
  const asking = (answer: QueryAnswer) => {
    const asked = { times: 0 };
    const ask = async () => {
      asked.times += 1;
      return answer;
    };
    return { ask, asked };
  };

  test("is read from the provider's record", async () => {
    const { ask } = asking({ outcome: "success", trace: { fee: kobo(1_000n) } });
    expect(await withWholeTrace(success, ask)).toEqual({ outcome: "success", trace: { ...trace, fee: 1_000n } });
  });

  test.each<QueryAnswer>([
    { outcome: "unknown", code: "timeout" },
    { outcome: "no_record" },
    { outcome: "failure", code: "payment_lost", message: "m" },
    { outcome: "taken_back", code: "payment_returned", message: "m" },
  ])("is left as it was when the record says $outcome", async (record) => {
    expect(await withWholeTrace(success, asking(record).ask)).toEqual(success);
  });

  test.each<PaymentAnswer>([
    { outcome: "unknown", code: "pending" },
    { outcome: "failure", code: "payment_lost", message: "m" },
  ])("is not asked for after $outcome", async (answer) => {
    const { ask, asked } = asking({ outcome: "success" });
    expect(await withWholeTrace(answer, ask)).toBe(answer);
    expect(asked.times).toBe(0);
  });
});

describe("a reply that settles nothing", () => {
  const answer = (status: number) => ({ kind: "answer", status, body: {}, headers: {} }) as const;

  test("is known by the provider's code, or by the status where there is none", () => {
    expect(unsettled(answer(400), "D07", undefined)).toEqual({ outcome: "unknown", code: "D07" });
    expect(unsettled(answer(502), undefined, undefined)).toEqual({ outcome: "unknown", code: "http_502" });
    expect(unsettled(answer(400), "", undefined)).toEqual({ outcome: "unknown", code: "http_400" });
  });

  test("tells whether the order ever left", () => {
    expect(unsettled({ kind: "not_sent", why: "ENOTFOUND" }, undefined, undefined).code).toBe("not_sent");
    expect(unsettled({ kind: "no_answer", why: "UND_ERR_SOCKET" }, undefined, undefined).code).toBe("no_answer");
  });

  test("holds the connection where the account is at fault", () => {
    const hold = { reason: "float_empty", message: "Your balance is not enough" } as const;
    expect(unsettled(answer(400), "x", hold)).toEqual({ outcome: "unknown", code: "x", hold });
  });
});
