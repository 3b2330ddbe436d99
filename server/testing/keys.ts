import { issueKey } from "../src/auth/issue-key.ts";
import { type Database, inEnvironment, operatorScope } from "../src/platform/database.ts";
import { testOrigin } from "./factories.ts";

/** A further key of an environment; answers with what goes after `Bearer `. */
export async function issueKeyFor(
  db: Database,
  environmentId: string,
  limits: { readonly scopes?: readonly string[]; readonly allowedAddresses?: readonly string[] } = {},
): Promise<string> {
  const command = { environmentId, name: "Further", origin: testOrigin, ...limits };
  return (await inEnvironment(db, operatorScope, (tx) => issueKey(tx, command))).key;
}
