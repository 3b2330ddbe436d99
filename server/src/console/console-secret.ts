import { randomBytes } from "node:crypto";
import { type Database, inEnvironment, operatorScope } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type SealedColumn, sealedContext } from "../platform/secrets/reseal.ts";
import { insertSecret, readSecret } from "./console-store.ts";

export const sealedSecret: SealedColumn = {
  table: "console_secrets",
  column: "sealed_secret",
  key: "id",
  scope: "scope_id",
};

const id = "sessions";
const context = sealedContext(sealedSecret, operatorScope, id);

/** What cookies are signed with. The first process that asks makes it; an exchange of the master key seals it again. */
export function keepConsoleSecret(db: Database, sealer: Sealer): Promise<string> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const known = await readSecret(tx, id);
    if (known !== undefined) return sealer.open(known, context).toString();
    // Of two processes at once one is first, and both read what it has written.
    await insertSecret(tx, id, sealer.seal(randomBytes(48).toString("base64url"), context));
    const kept = await readSecret(tx, id);
    if (kept === undefined) throw new Error("the console's secret was not kept");
    return sealer.open(kept, context).toString();
  });
}
