/** While the master key is exchanged, one server seals under the old key and the next under the new one. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { findIdByBvn, insertCustomer } from "../../server/src/checkout/customers/person-store.ts";
import { saveApplicant } from "../../server/src/loans/applicant-store.ts";
import { inEnvironment, type Tx } from "../../server/src/platform/database/database.ts";
import {
  createSealer,
  generateMasterKey,
  parseMasterKeys,
  type Sealer,
} from "../../server/src/platform/secrets/crypto.ts";
import { freshBvn, phoneOf } from "../../server/testing/checkout/checkout.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";

const { db } = await createTestDatabase();
const { environment } = await createMerchant(db);
const keys = [generateMasterKey(1), generateMasterKey(2)];
const before = createSealer(parseMasterKeys(keys.join(",")));
const after = createSealer(parseMasterKeys(keys.toReversed().join(",")));

let position = 0n;

/** As onboarding does it: found again, or made. */
async function onboard(tx: Tx, sealer: Sealer, bvn: string): Promise<string> {
  const known = await findIdByBvn(tx, sealer, bvn);
  if (known !== undefined) return known;
  const id = tx.environment.clock.newId();
  const named = { firstName: "Ada", lastName: "Obi", email: "ada@example.com", phone: phoneOf(bvn), bvn };
  const unknown = { nin: null, dateOfBirth: null, address: null, externalId: null };
  position += 1n;
  await insertCustomer(tx, sealer, {
    id,
    position,
    kycStatus: "pending",
    kycReason: null,
    identityProof: "none",
    person: { ...named, ...unknown },
  });
  return id;
}

function apply(tx: Tx, sealer: Sealer, bvn: string): Promise<string> {
  const named = { firstName: "Ada", lastName: "Obi", email: "ada@example.com", phone: phoneOf(bvn) };
  return saveApplicant(tx, sealer, { ...named, bvn, nin: "12345678901" });
}

async function somebodyWaits(): Promise<void> {
  const count = sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  while ((await count.execute(db)).rows[0]?.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
}

test.each([
  ["customer", onboard],
  ["applicant", apply],
])("two servers with the keys in another order make one %s of one BVN", async (_, make) => {
  const bvn = freshBvn();
  const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = inEnvironment(db, environment.id, async (tx) => {
    const id = await make(tx, before, bvn);
    written.resolve();
    await mayCommit.promise;
    return id;
  });
  await written.promise;
  const second = inEnvironment(db, environment.id, (tx) => make(tx, after, bvn));
  // Without the lock it would not wait, and make a second one here.
  await Promise.race([second, somebodyWaits()]);
  mayCommit.resolve();
  expect(await second).toBe(await first);
});
