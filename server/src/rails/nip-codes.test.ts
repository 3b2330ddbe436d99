import { expect, test } from "vitest";
import { answerFromNipCode } from "./nip-codes.ts";

/** Two digits, all of them, and what is not a code at all. */
const everything = [...Array.from({ length: 100 }, (_, code) => String(code).padStart(2, "0")), "", "0", "000", "XX"];

test("only 00 says that the money has moved", () => {
  expect(everything.filter((code) => answerFromNipCode(code).outcome === "success")).toEqual(["00"]);
});

/** To call one of these failed would give the money back while the bank may still pay it. */
test.each(["01", "02", "09", "21", "25", "26", "34", "35", "63", "68", "91", "92", "94", "96", "97", "99", "", "XX"])(
  "%j leaves the outcome open",
  (code) => {
    expect(answerFromNipCode(code)).toEqual({ outcome: "unknown", code });
  },
);

test("a definite refusal names its code and says why in words", () => {
  const refusals = everything.map((code) => answerFromNipCode(code)).filter(({ outcome }) => outcome === "failure");
  expect(refusals).toHaveLength(14);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      code: expect.stringMatching(/^nip_\d\d$/),
      message: expect.stringMatching(/^[A-Z]/),
    });
    // Every one has words of its own, not those for a code that nobody knows.
    expect(refusal).not.toMatchObject({ message: "The bank refused the payment" });
  }
});
