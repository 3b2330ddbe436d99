/** Which states are good, bad or open, for colours and for the code that a script gets. */
import { createColors } from "picocolors";
import { describe, expect, test } from "vitest";
import { isBad, status } from "./words.ts";

const colors = createColors(true);
const toneOf = (word: string) => {
  const shown = status({ colors }, word);
  if (shown === colors.green(word)) return "good";
  return shown === colors.red(word) ? "bad" : shown === colors.yellow(word) ? "open" : "unknown";
};

/** The states of each record, as the API has them. */
const states = {
  payout: { pending: "open", processing: "open", completed: "good", failed: "bad", reversed: "bad" },
  bill: { pending: "open", processing: "open", successful: "good", failed: "bad", reversed: "bad" },
  loan: { pending: "open", approved: "good", rejected: "bad", cancelled: "bad", disbursed: "good", overdue: "bad" },
  session: { open: "open", expired: "bad", cancelled: "bad", completed: "good" },
  identity: { pending: "open", verified: "good", failed: "bad" },
  delivery: { delivered: "good", failed: "bad", pending: "open" },
} as const;

describe.each(Object.entries(states))("a %s", (_record, tones) => {
  test.each(Object.entries(tones))("that is %s is shown as %s", (word, tone) => {
    expect(toneOf(word)).toBe(tone);
  });

  test.each(Object.entries(tones))(
    "that is %s ends a script with failure only where that is %s's sense",
    (word, tone) => {
      expect(isBad(word)).toBe(tone === "bad");
    },
  );
});

test("a state of tomorrow is neither good nor bad: nobody is told a success that is none", () => {
  for (const word of ["held_for_review", "", "Completed", "constructor"]) {
    expect([toneOf(word), isBad(word)]).toEqual(["open", false]);
  }
});

test("without colours a state is its word", () => {
  for (const word of ["completed", "failed", "pending"]) {
    expect(status({ colors: createColors(false) }, word)).toBe(word);
  }
});
