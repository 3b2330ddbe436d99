/** How much a person may pay alone. What was paid within the last 24 hours counts, so that a payment cannot be split. */
import { add } from "../money/arithmetic.ts";
import { type Kobo, nairaNumber } from "../money/kobo.ts";
import { type Database, inEnvironment, type Tx } from "../platform/database/database.ts";
import type { LimitPeople } from "../wallets/limit-people.ts";
import { approvalProblem } from "./errors.ts";
import { insertSpending, lockSpender, readLimit, sumSpent, takeBackSpending } from "./limit-store.ts";

const windowMs = 86_400_000;

export function spentLately(tx: Tx, personId: string): Promise<Kobo> {
  return sumSpent(tx, personId, new Date(tx.environment.clock.now().getTime() - windowMs));
}

/**
 * The attempt is written down and committed before the payment is tried. A server that dies in between leaves it
 * counted for a day, which errs on the safe side.
 */
export function createPeopleLimit(db: Database): LimitPeople {
  return async ({ environmentId, person }, { reference, amount }) => {
    const id = await inEnvironment(db, environmentId, async (tx) => {
      await lockSpender(tx, person.id);
      const limit = (await readLimit(tx))?.amount ?? null;
      const spent = await spentLately(tx, person.id);
      if (limit !== null && add(spent, amount) > limit) throw tooMuch({ limit, spent, amount });
      const spending = { id: tx.environment.clock.newId(), personId: person.id, reference, amount };
      await insertSpending(tx, spending);
      return spending.id;
    });
    return () => inEnvironment(db, environmentId, (tx) => takeBackSpending(tx, id));
  };
}

function tooMuch({ limit, spent, amount }: Readonly<Record<"limit" | "spent" | "amount", Kobo>>) {
  const data = { limit: nairaNumber(limit), spent: nairaNumber(spent), amount: nairaNumber(amount) };
  return approvalProblem("approval_needed", { data });
}
