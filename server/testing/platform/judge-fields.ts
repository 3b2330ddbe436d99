/** Judges each word of a request for itself: what it may be, what it is not, and that its example is one it accepts. */
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "./complaints.ts";

/** Its name, its schema, what it accepts and what it refuses. */
type FieldCase = readonly [string, TSchema, readonly unknown[], readonly unknown[]];

/** `of` says what is asked for: a payout, a bill. */
export function judgeFields(of: string, cases: readonly FieldCase[]): void {
  describe.each(cases)(`the %s of ${of}`, (_, schema, accepted, refused) => {
    const complaints = complaintsOf(Type.Object({ field: schema }));

    test.each(accepted.map((value) => [value]))("may be %j", (field) => {
      expect(complaints({ field })).toEqual({});
    });

    test.each(refused.map((value) => [value]))("is not %j", (field) => {
      expect(Object.keys(complaints({ field }))).toEqual(["field"]);
    });

    test("shows an example that it accepts itself", () => {
      const { examples = [] } = schema as { readonly examples?: readonly unknown[] };
      expect(examples.length).toBeGreaterThan(0);
      for (const field of examples) expect(complaints({ field })).toEqual({});
    });
  });
}
