import type { Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Environment } from "./merchant.ts";
import { findEnvironmentRow } from "./merchant-store.ts";

/** Seen from the operator's scope every environment, from an environment only itself. */
export async function findEnvironment(tx: Tx, id: string): Promise<Environment> {
  const environment = isUuid(id) ? await findEnvironmentRow(tx, id) : undefined;
  if (environment === undefined) throw commonProblem("environment_not_found");
  return environment;
}
