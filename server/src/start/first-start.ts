/**
 * What makes the first request possible a minute after the clone: a demo merchant, a sandbox with money, a key. The
 * database keeps only the key's hash, so the key itself is remembered in $JARA_HOME/dev.json; when that was lost, or
 * belongs to another database, a new key is issued.
 */
import { sql } from "kysely";
import { createAuthenticator } from "../auth/authenticate.ts";
import { issueKey } from "../auth/issue-key.ts";
import { openConsoleTo } from "../console/sign-in-link.ts";
import { createMerchant } from "../merchants/create-merchant.ts";
import type { Merchant } from "../merchants/merchant.ts";
import { listMerchants } from "../merchants/read-merchants.ts";
import { kobo } from "../money/kobo.ts";
import {
  type Database,
  inEnvironment,
  operatorScope,
  type Tx,
  visitEnvironment,
} from "../platform/database/database.ts";
import { Problem } from "../platform/problem.ts";
import type { Origin } from "../platform/records/audit.ts";
import { type ClockChange, setClock } from "../platform/time/clock-setting.ts";
import { fundWallet } from "../wallets/credit-wallet.ts";
import { openEnvironment } from "./open-environment.ts";

export const demoMerchant = { name: "Demo merchant", email: "demo@example.com" } as const;
const origin: Origin = { actor: "first start", address: "127.0.0.1", requestId: "first-start" };

/**
 * A key that opens the demo sandbox, or undefined when the operator of this database started without a demo. A sandbox
 * that is made with a history begins on its clock; the demo then plays it and lets the clock run.
 */
export async function ensureDemoKey(
  db: Database,
  knownKey: string | undefined,
  history?: ClockChange,
): Promise<string | undefined> {
  if (knownKey !== undefined && (await opensSomething(db, knownKey))) return knownKey;
  return inEnvironment(db, operatorScope, async (tx) => {
    // Servers that start together take turns here, so that there is one demo merchant.
    await sql`select pg_advisory_xact_lock(hashtext('jara.first_start'))`.execute(tx);
    const merchant = await findOrCreateDemo(tx, history);
    const sandbox = merchant?.environments.find((environment) => environment.kind === "SANDBOX");
    if (sandbox === undefined) return undefined;
    const issued = await issueKey(tx, { environmentId: sandbox.id, name: "npm start", origin });
    return issued.key;
  });
}

/**
 * An address that signs the demo merchant's owner in once, or undefined when there is no demo merchant. The owner is
 * the operator's admin too: on their own machine a newcomer may see every room.
 */
export async function demoSignInLink(db: Database, publicUrl: string): Promise<string | undefined> {
  return inEnvironment(db, operatorScope, async (tx) => {
    const merchant = await findDemo(tx);
    if (merchant === undefined) return undefined;
    return openConsoleTo(tx, { email: demoMerchant.email, name: "Demo owner", merchantId: merchant.id, publicUrl });
  });
}

/** The demo merchant is the first one ever or does not exist: nobody finds it among their real merchants one day. */
async function findOrCreateDemo(tx: Tx, history: ClockChange | undefined): Promise<Merchant | undefined> {
  const { pagination } = await listMerchants(tx, { page: 1, limit: 1 });
  if (pagination.totalItems === 0)
    return createMerchant(tx, { ...demoMerchant, origin, environmentOpened: openFunded(history) });
  return findDemo(tx);
}

async function findDemo(tx: Tx): Promise<Merchant | undefined> {
  const { totalPages } = (await listMerchants(tx, { page: 1, limit: 1 })).pagination;
  if (totalPages === 0) return undefined;
  const [oldest] = (await listMerchants(tx, { page: totalPages, limit: 1 })).rows;
  return oldest?.email === demoMerchant.email ? oldest : undefined;
}

/** Play money, so that a first payout works at once. With a history, all of it begins on that clock. */
function openFunded(history: ClockChange | undefined) {
  return async (inside: Tx, { id }: { readonly id: string }): Promise<void> => {
    if (history !== undefined) await setClock(inside, id, history);
    const open = async (opened: Tx): Promise<void> => {
      await openEnvironment(opened);
      await fundWallet(opened, { amount: kobo(100_000_000n) });
    };
    await visitEnvironment(inside, id, open, "in order");
  };
}

async function opensSomething(db: Database, key: string): Promise<boolean> {
  const authenticator = createAuthenticator({ db });
  try {
    await authenticator.authenticate(`Bearer ${key}`, "127.0.0.1");
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  } finally {
    await authenticator.close();
  }
}
