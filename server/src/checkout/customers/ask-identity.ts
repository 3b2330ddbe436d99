/** Asks the identity provider about a person, outside of any transaction. */
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import type { IdentityRails } from "../../rails/registry.ts";
import type { Person } from "./customer.ts";

export interface IdentityDependencies {
  readonly rails: IdentityRails;
}

/** Whose environment asks. */
export interface Asker {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
}

export type Identified = Pick<Person, "bvn" | "nin" | "firstName" | "lastName" | "dateOfBirth">;

/** Where no provider is connected the answer is the same as when it is away: nobody is refused for it. */
export async function askIdentity(
  { rails }: IdentityDependencies,
  { environmentId, kind }: Asker,
  person: Identified,
): Promise<IdentityAnswer> {
  const rail = rails.identity[kind];
  if (rail === null) return { outcome: "unavailable" };
  const { bvn, nin, firstName, lastName, dateOfBirth } = person;
  const birthday = dateOfBirth?.toString() ?? null;
  return rail.verify({ environmentId, bvn, nin, firstName, lastName, dateOfBirth: birthday });
}
