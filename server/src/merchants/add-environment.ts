import { uuidv7 } from "uuidv7";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { merchantProblem } from "./errors.ts";
import type { Environment } from "./merchant.ts";
import { insertClock, insertEnvironment, merchantExists } from "./merchant-store.ts";

/**
 * Gives a new environment what the domains above this one keep in it, such as its main wallet. It runs inside the
 * environment, in the transaction that makes it: an environment without them is never seen.
 */
export type EnvironmentOpened = (inside: Tx, environment: Environment) => Promise<void>;

export interface AddEnvironment {
  readonly merchantId: string;
  readonly kind: EnvironmentKind;
  readonly name: string;
  readonly origin: Origin;
  readonly environmentOpened: EnvironmentOpened;
}

/** Gives a merchant one more environment. A merchant has at most one LIVE. */
export async function addEnvironment(tx: Tx, command: AddEnvironment): Promise<Environment> {
  if (!isUuid(command.merchantId) || !(await merchantExists(tx, command.merchantId))) {
    throw merchantProblem("merchant_not_found");
  }
  const environment = await openEnvironment(tx, command);
  await recordAudit(tx, command.origin, {
    action: "environment.create",
    subjectType: "environment",
    subjectId: environment.id,
    environmentId: environment.id,
    detail: { merchantId: command.merchantId, kind: command.kind, name: command.name },
  });
  return environment;
}

/** Writes the environment with everything that it needs from its first moment on. */
export async function openEnvironment(
  tx: Tx,
  { merchantId, kind, name, environmentOpened }: Omit<AddEnvironment, "origin">,
): Promise<Environment> {
  const environment: Environment = { id: uuidv7(), merchantId, kind, name, createdAt: new Date() };
  await insertEnvironment(tx, environment);
  await visitEnvironment(tx, environment.id, async (inside) => {
    // A LIVE environment follows real time and has no clock of its own.
    if (kind === "SANDBOX") await insertClock(inside);
    await environmentOpened(inside, environment);
  });
  return environment;
}
