/** What every identity rail must keep to. */
import { expect } from "vitest";
import type { IdentityQuestion, IdentityRail } from "../../src/rails/identity.ts";
import type { ContractCase } from "./contract.ts";

export type IdentityFate = "matched" | "other_phone" | "mismatched" | "down";

export interface IdentitySubject {
  readonly rail: IdentityRail;
  /** A question that will meet this fate. */
  question(fate: IdentityFate): IdentityQuestion;
}

export interface IdentityCase extends ContractCase<IdentitySubject> {
  /** A simulation cannot play every fate. */
  readonly fate: IdentityFate;
}

export const identityContract: readonly IdentityCase[] = [
  {
    name: "a person who says the truth is matched, however often it is asked",
    fate: "matched",
    run: async ({ rail, question }) => {
      const asked = question("matched");
      for (let time = 0; time < 2; time += 1) {
        expect(await rail.verify(asked)).toEqual({ outcome: "matched", phone: "fits" });
      }
    },
  },
  {
    name: "a person whose phone is not the register's is matched, and told apart",
    fate: "other_phone",
    run: async ({ rail, question }) => {
      expect(await rail.verify(question("other_phone"))).toEqual({ outcome: "matched", phone: "differs" });
    },
  },
  {
    name: "somebody else is mismatched, with a reason that names no number",
    fate: "mismatched",
    run: async ({ rail, question }) => {
      const answer = await rail.verify(question("mismatched"));
      expect(answer).toEqual({ outcome: "mismatched", reason: expect.stringMatching(/^\D+\.$/) });
    },
  },
  {
    name: "a register that is down refuses nobody",
    fate: "down",
    run: async ({ rail, question }) => {
      expect(await rail.verify(question("down"))).toMatchObject({ outcome: "unavailable" });
    },
  },
];

/** Each must break the contract. */
export const wrongIdentityRails: Readonly<Record<string, (rail: IdentityRail) => IdentityRail>> = {
  "everybody for matched": (rail) => ({ ...rail, verify: async () => ({ outcome: "matched", phone: "fits" }) }),
  "everybody for mismatched": (rail) => ({ ...rail, verify: async () => ({ outcome: "mismatched", reason: "No." }) }),
  "everything for unavailable": (rail) => ({ ...rail, verify: async () => ({ outcome: "unavailable" }) }),
};
