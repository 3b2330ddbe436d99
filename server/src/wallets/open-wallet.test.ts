import { expect, test } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { createMerchant, testOrigin } from "../../testing/factories.ts";
import { asOwner } from "../../testing/work.ts";
import { addEnvironment } from "../merchants/add-environment.ts";
import { inEnvironment, operatorScope } from "../platform/database/database.ts";
import { setClock } from "../platform/time/clock-setting.ts";
import { openEnvironment } from "../start/open-environment.ts";
import { house } from "../start/slices.ts";
import { hasValidCheckDigit, openSubAccount } from "./open-wallet.ts";

import { mainWalletId } from "./wallet.ts";

const systemPurposes = Object.keys(house.systemAccounts);

const { db, ownerUrl } = await createTestDatabase();

const walletsIn = (id: string) => inEnvironment(db, id, (tx) => tx.selectFrom("wallets").selectAll().execute());
const accountsIn = (id: string) =>
  inEnvironment(db, id, (tx) => tx.selectFrom("accounts").select(["purpose", "balance"]).execute());

test("a merchant's sandbox has its main wallet and its ledger accounts from the first moment", async () => {
  const { id } = (await createMerchant(db)).environment;
  const wallets = await walletsIn(id);
  expect(wallets).toMatchObject([{ id: mainWalletId(id), is_main: true, list_position: null }]);
  expect(hasValidCheckDigit(wallets[0]?.account_number ?? "")).toBe(true);
  const purposes = (await accountsIn(id)).map(({ purpose }) => purpose);
  expect(purposes).toEqual(expect.arrayContaining([...systemPurposes, "held", "wallet"]));
});

test("a live environment has them too", async () => {
  const { merchant } = await createMerchant(db);
  const command = { merchantId: merchant.id, kind: "LIVE", name: "Live", origin: testOrigin } as const;
  const live = await inEnvironment(db, operatorScope, (tx) =>
    addEnvironment(tx, { ...command, environmentOpened: openEnvironment }),
  );
  expect(await walletsIn(live.id)).toHaveLength(1);
  const accounts = await accountsIn(live.id);
  const owned = ["held", "held", "lender_funding", "wallet"];
  expect(accounts.map(({ purpose }) => purpose).sort()).toEqual([...systemPurposes, ...owned].sort());
  expect(accounts.every(({ balance }) => balance === 0n)).toBe(true);
});

test("opening them again changes nothing", async () => {
  const { id } = (await createMerchant(db)).environment;
  const before = await walletsIn(id);
  await inEnvironment(db, id, openEnvironment);
  expect(await walletsIn(id)).toEqual(before);
});

test("however many sandboxes are frozen with the same seed, each is given numbers of its own", async () => {
  const { merchant, environment } = await createMerchant(db);
  const owner = { merchantId: merchant.id, origin: testOrigin };
  const command = { ...owner, kind: "SANDBOX", environmentOpened: openEnvironment } as const;
  const ids = [environment.id];
  for (let count = 1; count < 23; count += 1) {
    const name = `Sandbox ${count}`;
    ids.push((await inEnvironment(db, operatorScope, (tx) => addEnvironment(tx, { ...command, name }))).id);
  }
  const numbers: string[] = [];
  for (const id of ids) {
    const change = { mode: "frozen", seed: "same", now: new Date("2026-11-01T08:00:00Z") } as const;
    await inEnvironment(db, id, (tx) => setClock(tx, id, change));
    const sub = { accountName: "Same", externalId: null };
    const { wallet } = await inEnvironment(db, id, (tx) => openSubAccount(tx, sub));
    numbers.push(wallet.accountNumber);
  }
  expect(new Set(numbers).size).toBe(23);
  expect(numbers.every(hasValidCheckDigit)).toBe(true);
});

test("where no number is free the request is refused, and can be sent again", async () => {
  const { id } = (await createMerchant(db)).environment;
  const never = (await walletsIn(id))[0]?.account_number ?? "";
  await asOwner(ownerUrl, takeEveryNumber(never));
  const opened = inEnvironment(db, id, (tx) => openSubAccount(tx, { accountName: "Ada", externalId: null }));
  await expect(opened).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "1" } });
  await asOwner(ownerUrl, "drop trigger take_every_number on wallets");
  const again = await inEnvironment(db, id, (tx) => openSubAccount(tx, { accountName: "Ada", externalId: null }));
  expect(again.wallet.accountName).toBe("Ada");
});

/** As if another wallet had each number that is drawn. */
function takeEveryNumber(taken: string): string {
  return `create function take_every_number() returns trigger language plpgsql as
    $$ begin new.account_number := '${taken}'; return new; end $$;
    create trigger take_every_number before insert on wallets for each row execute function take_every_number()`;
}
