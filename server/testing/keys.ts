import { issueKey } from "../src/auth/issue-key.ts";
import { addEnvironment } from "../src/merchants/add-environment.ts";
import { type Database, inEnvironment, operatorScope } from "../src/platform/database/database.ts";
import { openEnvironment } from "../src/start/open-environment.ts";
import { testOrigin } from "./factories.ts";

/** A further key of an environment; returns what goes after `Bearer `. */
export async function issueKeyFor(
  db: Database,
  environmentId: string,
  limits: { readonly scopes?: readonly string[]; readonly allowedAddresses?: readonly string[] } = {},
): Promise<string> {
  const command = { environmentId, name: "Further", origin: testOrigin, ...limits };
  return (await inEnvironment(db, operatorScope, (tx) => issueKey(tx, command))).key;
}

/** A key of the merchant's LIVE environment, which is opened for it. */
export function issueLiveKeyFor(db: Database, merchantId: string): Promise<string> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const live = {
      merchantId,
      kind: "LIVE",
      name: "Live",
      origin: testOrigin,
      environmentOpened: openEnvironment,
    } as const;
    const { id: environmentId } = await addEnvironment(tx, live);
    return (await issueKey(tx, { environmentId, name: "Live", origin: testOrigin })).key;
  });
}
