/** Asks the identity provider again about customers who are neither verified nor refused. */
import { type Database, inEnvironment, readEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { TaskKind } from "../../platform/work/jobs.ts";
import { recordsById, type SweepSource } from "../../platform/work/sweeper.ts";
import type { RailUser } from "../../rails/desk.ts";
import { askIdentity, type IdentityDependencies, type Questioned } from "./ask-identity.ts";
import { askLater, identityTask } from "./ask-later.ts";
import { countUnanswered, findCustomer, moveKyc, proveIdentity } from "./customer-store.ts";
import { kycOf, proofOf } from "./onboard-customer.ts";
import { readIdentified } from "./person-store.ts";

export interface CustomerTaskDependencies extends IdentityDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
}

export const customerTaskKinds = [identityTask] as const;

export function customerTasks(deps: CustomerTaskDependencies): [string, TaskKind][] {
  const task: TaskKind = {
    pace: "slow",
    handle: ({ environmentId, subject }) => verifyIdentity(deps, environmentId, subject),
  };
  return [[identityTask, task]];
}

async function verifyIdentity(deps: CustomerTaskDependencies, environmentId: string, id: string): Promise<void> {
  const { db, sealer } = deps;
  const read = (tx: Tx) => readQuestion(tx, sealer, id);
  const question = await readEnvironment(db, environmentId, read);
  if (question === undefined) return;
  const answer = await askIdentity(deps, question.asker, question.identified);
  await inEnvironment(db, environmentId, async (tx) => {
    // Somebody may have decided meanwhile. As long as nobody has, the claim is the one that was asked about.
    const customer = await findCustomer(tx, id, { lock: true });
    if (customer?.kycStatus !== "pending") return;
    const { status, reason } = kycOf(answer);
    // A phone that was changed since is not the one that was asked about.
    if (proofOf(answer) === "phone" && customer.phone === question.identified.phone)
      await proveIdentity(tx, id, "phone");
    if (status !== "pending") await moveKyc(tx, id, { from: "pending", to: status, reason });
    else await askLater(tx, id, (await countUnanswered(tx, id)) ?? 0);
  });
}

interface Question {
  readonly asker: RailUser;
  readonly identified: Questioned;
}

async function readQuestion(tx: Tx, sealer: Sealer, id: string): Promise<Question | undefined> {
  const customer = await findCustomer(tx, id, { lock: false });
  if (customer?.kycStatus !== "pending") return undefined;
  const { kind } = tx.environment;
  const asker = { environmentId: tx.environment.id, kind };
  return { asker, identified: { ...(await readIdentified(tx, sealer, customer)), phone: customer.phone } };
}

export const customerSweepSources: readonly SweepSource[] = [
  recordsById({ name: "customers without KYC", kind: identityTask }, "find_unidentified_customers"),
];
