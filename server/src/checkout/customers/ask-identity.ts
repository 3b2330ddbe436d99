/** Asks the identity provider about a person, outside of any transaction. */

import type { IdentityRails, RailUser } from "../../rails/desk.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import type { Person } from "./customer.ts";

export interface IdentityDependencies {
  readonly rails: IdentityRails;
}

export type Identified = Pick<Person, "bvn" | "nin" | "firstName" | "lastName" | "dateOfBirth">;

/** Where no provider is connected the answer is the same as when it is away: nobody is refused for it. */
export async function askIdentity(
  { rails }: IdentityDependencies,
  asker: RailUser,
  person: Identified,
): Promise<IdentityAnswer> {
  const found = await rails.identity.find(asker);
  if (typeof found === "string") return { outcome: "unavailable" };
  const { bvn, nin, firstName, lastName, dateOfBirth } = person;
  const birthday = dateOfBirth?.toString() ?? null;
  return found.rail.verify({
    environmentId: asker.environmentId,
    bvn,
    nin,
    firstName,
    lastName,
    dateOfBirth: birthday,
  });
}
