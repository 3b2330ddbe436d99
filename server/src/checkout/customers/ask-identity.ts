/** Asks the identity provider about a person, outside of any transaction. */

import type { IdentityRails, RailUser } from "../../rails/desk.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import type { Person } from "./customer.ts";

export interface IdentityDependencies {
  readonly rails: IdentityRails;
}

export type Identified = Pick<Person, "bvn" | "nin" | "firstName" | "lastName" | "dateOfBirth">;

/** The phone is where the person says to be reached: what the register says of it stands beside what it says of them. */
export type Questioned = Identified & Pick<Person, "phone">;

const birthdayMissing = "The date of birth is missing. Onboard again with the one that the BVN is registered under.";

/** Where no provider is connected the answer is the same as when it is away: nobody is refused for it. */
export async function askIdentity(
  { rails }: IdentityDependencies,
  asker: RailUser,
  person: Questioned,
): Promise<IdentityAnswer> {
  const { bvn, nin, firstName, lastName, phone, dateOfBirth } = person;
  const birthday = dateOfBirth?.toString() ?? null;
  const found = await rails.identity.find(asker);
  if (typeof found === "string") return { outcome: "unavailable" };
  // Names are on every receipt, so a real register is asked about the birthday, too.
  if (asker.kind === "LIVE" && birthday === null) return { outcome: "mismatched", reason: birthdayMissing };
  return found.rail.verify({
    environmentId: asker.environmentId,
    bvn,
    nin,
    firstName,
    lastName,
    phone,
    dateOfBirth: birthday,
  });
}
