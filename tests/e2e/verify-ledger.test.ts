import { execFile } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { kobo } from "../../server/src/money/kobo.ts";
import { inEnvironment } from "../../server/src/platform/database/database.ts";
import { fundWallet } from "../../server/src/wallets/credit-wallet.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestDatabase } from "../../server/testing/database.ts";
import { createMerchant } from "../../server/testing/factories.ts";

const { db, appUrl, ownerUrl } = await createTestDatabase();
const intact = (await createMerchant(db, "Intact")).environment.id;
const spoilt = (await createMerchant(db, "Spoilt")).environment.id;
for (const id of [intact, spoilt]) await inEnvironment(db, id, (tx) => fundWallet(tx, { amount: kobo(5_000n) }));

function verify(settings: object = {}): Promise<{ code: number; out: string; errors: string }> {
  const script = join(import.meta.dirname, "../../server/src/programs/verify-ledger.ts");
  const env = { ...process.env, DATABASE_URL: appUrl, DATABASE_OWNER_URL: ownerUrl, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env }, (error, out, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, errors });
    });
  });
}

test("an intact ledger is verified with exit code 0, a tampered balance is named with exit code 1", async () => {
  expect(await verify()).toEqual({ code: 0, out: "Environments verified: 2. Differences: 0.\n", errors: "" });
  const wallet = mainWalletId(spoilt);
  // Only the owner of the tables can tamper at all.
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query("update accounts set balance = 4999 where id = $1", [wallet]).finally(() => owner.end());
  // A folder that is not there is said, and the books are verified all the same.
  const { code, out, errors } = await verify({ JARA_ARCHIVE_FOLDER: "/no/such" });
  expect([code, out]).toEqual([
    1,
    "Environments verified: 2. Differences: 1.\nArchive files compared: 0. Faults: 1.\n",
  ]);
  expect(errors).toContain(`SANDBOX ${spoilt}: balance equals entries: ${wallet}: expected 5000, found 4999\n`);
  expect(errors).toMatch(/^archive: the folder \/no\/such cannot be read: ENOENT.* No file was compared\.$/m);
});
