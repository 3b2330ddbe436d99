/** Asks the register about somebody who is being onboarded, before the transaction that does it. */

import { type Database, readEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { RailUser } from "../../rails/desk.ts";
import type { IdentityAnswer } from "../../rails/identity.ts";
import { askIdentity, type IdentityDependencies } from "./ask-identity.ts";
import type { Person } from "./customer.ts";
import { claimOf } from "./onboard-customer.ts";
import { findIdByBvn, readIdentified } from "./person-store.ts";
import { requireCustomer } from "./read-customer.ts";

export interface AskDependencies extends IdentityDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
}

/**
 * The whole claim is asked about: a customer on record with a NIN and a birthday is not confirmed again by a name
 * alone. The person comes back with what was added.
 */
export async function askAboutPerson(
  deps: AskDependencies,
  asker: RailUser,
  person: Person,
): Promise<{ readonly person: Person; readonly answer: IdentityAnswer }> {
  const { db, sealer } = deps;
  const complete = (tx: Tx) => completed(tx, sealer, person);
  const whole = await readEnvironment(db, asker.environmentId, complete);
  return { person: whole, answer: await askIdentity(deps, asker, whole) };
}

async function completed(tx: Tx, sealer: Sealer, person: Person): Promise<Person> {
  const id = await findIdByBvn(tx, sealer, person.bvn, { lock: false });
  if (id === undefined) return person;
  return { ...person, ...claimOf(person, await readIdentified(tx, sealer, await requireCustomer(tx, id))) };
}
