/** Asks about everything, as far as it can be reached, and gives all findings at once. */
import pg from "pg";
import { findHoles } from "../platform/backups/change-log.ts";
import { listBackups } from "../platform/backups/shelf.ts";
import { listMigrations } from "../platform/database/migrations.ts";
import { readAppliedMigrations, readDatabaseFacts, readHouseFacts, readLoginFacts } from "./database-facts-store.ts";
import { type Finding, good, missing } from "./finding.ts";
import { judgeArchiveFolder, readArchiveFacts } from "./judge-archive.ts";
import { judgeBackups } from "./judge-backups.ts";
import { judgeDatabase, judgeHouse, judgeLogin, judgeMigrations } from "./judge-database.ts";
import { isLocal, judgeSettings, type Settings } from "./judge-settings.ts";
import { lookAtAddress } from "./look-at-address.ts";

export interface Checked extends Settings {
  readonly databaseUrl: string;
  /** The demo merchant's, who has no place in production. */
  readonly demoEmail: string;
  /** Where old events go, if they go. */
  readonly archive?: { readonly folder: string } | undefined;
  readonly now: Date;
  /** Throws a sentence when the master keys do not fit the database. */
  checkMasterKeys(ownerUrl: string): Promise<void>;
}

export async function checkProduction(checked: Checked): Promise<Finding[]> {
  const { publicUrl, now } = checked;
  const address = await lookAtAddress(publicUrl, now);
  return [...judgeSettings(checked), ...address, ...(await lookAtDatabase(checked)), ...(await lookAtArchive(checked))];
}

async function lookAtArchive({ archive }: Checked): Promise<Finding[]> {
  return archive === undefined ? [] : [judgeArchiveFolder(await readArchiveFacts(archive.folder))];
}

async function lookAtDatabase(checked: Checked): Promise<Finding[]> {
  const { databaseUrl, databaseOwnerUrl = databaseUrl } = checked;
  try {
    const served = await inClient(databaseUrl, async (client) => judgeLogin(await readLoginFacts(client)));
    return [served, ...(await inClient(databaseOwnerUrl, (client) => lookAsOwner(client, checked, databaseOwnerUrl)))];
  } catch (error) {
    const why = error instanceof Error ? error.message || String(error) : String(error);
    const { hostname } = new URL(databaseUrl);
    return [missing("PostgreSQL", `The database at ${hostname} cannot be used: ${why}.`, "Look at DATABASE_URL.")];
  }
}

async function lookAsOwner(client: pg.Client, checked: Checked, ownerUrl: string): Promise<Finding[]> {
  const { backupFolder: folder, demoEmail, now } = checked;
  const facts = await readDatabaseFacts(client);
  const isRemote = !isLocal(new URL(ownerUrl).hostname);
  const { backups, damaged } = folder === undefined ? { backups: [], damaged: [] } : listBackups(folder);
  const holes = folder === undefined ? { problems: [], sinceNewest: false } : await findHoles(folder);
  const newest = backups.at(-1)?.finishedAt;
  const applied = await readAppliedMigrations(client);
  const waiting = (await listMigrations()).filter((name) => !applied.has(name));
  const { archives, archiveFails } = facts;
  return [
    ...judgeDatabase(facts, { isRemote }),
    judgeMigrations(waiting, { isEmpty: applied.size === 0 }),
    ...(applied.size === 0 ? [] : [await lookAtKeys(checked, ownerUrl)]),
    ...(waiting.length === 0 ? judgeHouse(await readHouseFacts(client, demoEmail)) : []),
    ...judgeBackups({
      folder,
      newest: newest === undefined ? undefined : new Date(newest),
      damaged: damaged.map(({ label, why }) => `${label} (${why})`),
      holes,
      archives,
      archiveFails,
      now,
    }),
  ];
}

async function lookAtKeys({ checkMasterKeys }: Checked, ownerUrl: string): Promise<Finding> {
  try {
    await checkMasterKeys(ownerUrl);
    return good("master key", "it fits the database; keep a copy of it at another place than the backups");
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return missing("master key", says, "The runbook says where the key belongs.");
  }
}

async function inClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
