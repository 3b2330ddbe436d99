/**
 * The identity register of sandboxes. It has nobody in it until somebody is asked about: whoever a BVN first comes with
 * in a sandbox is its owner there, and later questions are compared with that. Some BVNs play the other fates of a
 * register, so that a merchant can see them with the first question.
 */
import type pg from "pg";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { IdentityAnswer, IdentityQuestion, IdentityRail } from "../../rails/identity.ts";
import { namesFit } from "../../rails/person-names.ts";
import { foreignBvnEnding, playedBvns } from "../magic-inputs.ts";
import { learnBirthday, type RegisteredPerson, rememberPerson } from "./simulated-register-store.ts";

export interface SimulatedIdentityOptions {
  /** The register's own connections. */
  readonly pool: pg.Pool;
  readonly sealer: Sealer;
}

const mismatched = (reason: string): IdentityAnswer => ({ outcome: "mismatched", reason });
const otherName = mismatched("The name does not fit the one that the BVN is registered under.");
const otherBirthday = mismatched("The date of birth does not fit the one that the BVN is registered under.");
const nobody = mismatched("Nobody is registered under this BVN.");

export function createSimulatedIdentity(options: SimulatedIdentityOptions): IdentityRail {
  return {
    name: "simulated",
    verify: async (question) => {
      const { bvn } = question;
      if (bvn.startsWith(playedBvns.registerAway)) return { outcome: "unavailable" };
      if (bvn.startsWith(playedBvns.noRecord)) return nobody;
      if (bvn.endsWith(foreignBvnEnding)) return otherName;
      const person = await rememberPerson(options, question);
      const answer = await compare(options, question, person);
      const isForeignPhone = bvn.startsWith(playedBvns.otherPhone) && answer.outcome === "matched";
      return isForeignPhone ? { outcome: "matched", phone: "differs" } : answer;
    },
  };
}

async function compare(
  options: SimulatedIdentityOptions,
  question: IdentityQuestion,
  person: RegisteredPerson,
): Promise<IdentityAnswer> {
  const { dateOfBirth, phone } = question;
  if (!namesFit(question, { first: person.firstName, middle: "", last: person.lastName })) return otherName;
  if (dateOfBirth !== null) {
    const born = person.born ?? (await learnBirthday(options, question, person.id, dateOfBirth));
    if (born !== dateOfBirth) return otherBirthday;
  }
  return { outcome: "matched", phone: phone === person.phone ? "fits" : "differs" };
}
