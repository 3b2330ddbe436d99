/** Asks about everything, as far as it can be reached, and gives all findings at once. */

import { once } from "node:events";
import { access, constants, stat, statfs } from "node:fs/promises";
import { connect } from "node:tls";
import pg from "pg";
import { findHoles, type LogHoles, tellProblems } from "../platform/backups/change-log.ts";
import { listBackups } from "../platform/backups/shelf.ts";
import { listMigrations } from "../platform/database/migrations.ts";
import { readAppliedMigrations, readDatabaseFacts, readHouseFacts, readLoginFacts } from "./database-facts-store.ts";
import { type Finding, good, look, missing } from "./finding.ts";
import { judgeDatabase, judgeHouse, judgeLogin, judgeMigrations } from "./judge-database.ts";

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

/** The folder to which old events go: after a month events are there and nowhere else. */
export interface ArchiveFacts {
  readonly folder: string;
  /** Undefined where there is none, or where it is not a folder. */
  readonly found?: {
    /** The rights of others than its owner, as in `chmod`. */
    readonly othersMay: number;
    readonly isWritable: boolean;
    /** Kept in memory: gone at the next start of the machine. */
    readonly isInMemory: boolean;
  };
}

/** As Linux numbers them: tmpfs and ramfs. */
const memoryKinds = [0x01021994, 0x858458f6];

export async function readArchiveFacts(folder: string): Promise<ArchiveFacts> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) return { folder };
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const { type } = await statfs(folder);
  return { folder, found: { othersMay: found.mode & 0o077, isWritable, isInMemory: memoryKinds.includes(type) } };
}

export function judgeArchiveFolder({ folder, found }: ArchiveFacts): Finding {
  const topic = "old events";
  if (found === undefined) {
    return missing(topic, `There is no folder ${folder}.`, "Make the folder of JARA_ARCHIVE_FOLDER, with mode 700.");
  }
  if (!found.isWritable) {
    return missing(topic, `${folder} cannot be written.`, "Give it to the account that the workers run as.");
  }
  if (found.othersMay !== 0) {
    const says = `Others than its owner may open ${folder}: it has names, account numbers and amounts.`;
    return missing(topic, says, `chmod 700 ${folder}`);
  }
  if (found.isInMemory) {
    const says = `${folder} is kept in memory: at the next start of the machine its events would be gone.`;
    return missing(topic, says, "Name a folder on a disk in JARA_ARCHIVE_FOLDER.");
  }
  return good(topic, `go to ${folder}; copy it with every backup, because npm run backup does not have it`);
}

/** Knocks at the public address as a merchant would: TLS, its certificate, and whether Jara is behind it. */
const patienceMs = 5_000;
const leastDays = 14;

export async function lookAtAddress(publicUrl: string, now: Date): Promise<Finding[]> {
  const url = new URL(publicUrl);
  if (url.protocol !== "https:") return [];
  try {
    const ends = await readCertificateEnd(url);
    return [judgeCertificate(ends, now), await lookBehind(publicUrl)];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [
      missing(
        "TLS",
        `${publicUrl} cannot be reached with a trusted certificate: ${why}.`,
        "Put a proxy that ends TLS in front (nginx, Caddy, haproxy), with a certificate that browsers trust.",
      ),
    ];
  }
}

async function readCertificateEnd({ hostname, port }: URL): Promise<Date> {
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: patienceMs });
  socket.on("timeout", () => socket.destroy(new Error(`no answer within ${patienceMs / 1_000} s`)));
  try {
    await once(socket, "secureConnect");
    return new Date(socket.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}

export function judgeCertificate(ends: Date, now: Date): Finding {
  const days = Math.floor((ends.getTime() - now.getTime()) / 86_400_000);
  if (days >= leastDays) return good("TLS", `the certificate is good for ${days} days`);
  return look("TLS", `The certificate ends in ${days} days.`, "Let it be renewed by itself (ACME).");
}

async function lookBehind(publicUrl: string): Promise<Finding> {
  const response = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(patienceMs), redirect: "manual" });
  if (response.status === 200) return good("server", "ready behind the public address");
  return look(
    "server",
    `${publicUrl}/readyz returns ${response.status}.`,
    "Start the server, and let the proxy pass everything on to it.",
  );
}

/** Whether there is something to restore from, and how old it is. */
export interface BackupFacts {
  /** Undefined when JARA_BACKUP_FOLDER is not set. */
  readonly folder: string | undefined;
  readonly newest: Date | undefined;
  /** Those that cannot be restored, each with the reason. */
  readonly damaged: readonly string[];
  /** What is missing or cut in the log of changes. */
  readonly holes: LogHoles;
  readonly archives: boolean;
  readonly archiveFails: boolean;
  readonly now: Date;
}

const mostHours = 26;

export function judgeBackups({ folder, newest, damaged, holes, ...facts }: BackupFacts): Finding[] {
  const { archives, archiveFails, now } = facts;
  return [
    judgeNewest(folder, newest, now),
    ...judgeDamaged(damaged),
    judgeArchive(archives, archiveFails),
    ...judgeHoles(holes),
  ];
}

function judgeHoles({ problems, sinceNewest }: LogHoles): Finding[] {
  if (problems.length === 0) return [];
  const says = `The log of changes is not whole: ${tellProblems(problems)}`;
  return sinceNewest
    ? [missing("log", `${says} What came after the newest backup cannot be restored.`, "Run npm run backup now.")]
    : [look("log", `${says} Some moments before the newest backup cannot be restored.`, "Look at the folder's disk.")];
}

function judgeDamaged(damaged: readonly string[]): Finding[] {
  if (damaged.length === 0) return [];
  const cure = "Nothing deletes them: mend backup.json or take the folder away, and look at the disk.";
  return [look("damaged backups", `These cannot be restored: ${damaged.join(", ")}.`, cure)];
}

function judgeNewest(folder: string | undefined, newest: Date | undefined, now: Date): Finding {
  if (folder === undefined) {
    return look(
      "backup",
      "JARA_BACKUP_FOLDER is not set, so nobody can tell here whether there are backups.",
      "Set it and run npm run backup every night, or use pgBackRest, barman or your provider's own.",
    );
  }
  const cure = "npm run backup -- --keep 14, every night.";
  if (newest === undefined) return missing("backup", `There is no backup in ${folder}.`, cure);
  const hours = Math.floor((now.getTime() - newest.getTime()) / 3_600_000);
  if (hours > mostHours) return missing("backup", `The newest backup is ${hours} hours old.`, cure);
  return good("backup", hours < 1 ? "less than an hour old" : `${hours} hours old`);
}

function judgeArchive(archives: boolean, archiveFails: boolean): Finding {
  if (!archives) {
    return missing(
      "archive",
      "PostgreSQL archives no log of changes: what came after the last backup could not be restored.",
      "Set archive_mode and archive_command; the runbook shows them.",
    );
  }
  if (archiveFails) {
    return missing("archive", "The last try to archive failed.", "Look at pg_stat_archiver and PostgreSQL's log.");
  }
  return good("archive", "every change is archived");
}

/** What the settings alone tell: addresses, proxies, backups, the lender. */
export interface Settings {
  readonly host: string;
  readonly publicUrl: string;
  readonly trustProxy: false | number | string;
  readonly backupFolder?: string;
  readonly databaseUrl?: string;
  readonly databaseOwnerUrl?: string;
  readonly lender?: object;
  readonly webhookReach: { readonly sandboxLoopback: boolean };
}

export function judgeSettings(settings: Settings): Finding[] {
  return [
    judgePublicUrl(settings),
    judgeProxy(settings),
    judgeLogins(settings),
    settings.lender === undefined
      ? look("lender", "No lender is named, so live loans at the checkout are refused.", "Set JARA_LENDER_… to lend.")
      : good("lender", "Live loans are made in the lender's name."),
    ...(settings.webhookReach.sandboxLoopback
      ? [
          look(
            "webhooks",
            "Sandboxes may send webhooks to this very machine.",
            "Take JARA_SANDBOX_WEBHOOKS_TO_LOOPBACK away, unless only your own developers use this server.",
          ),
        ]
      : []),
  ];
}

function judgePublicUrl({ publicUrl }: Settings): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  const cure = "Set PUBLIC_URL to the https address that merchants and customers use.";
  if (isLocal(hostname)) return missing("address", `PUBLIC_URL is ${publicUrl}, which nobody else can reach.`, cure);
  if (protocol !== "https:") return missing("address", `PUBLIC_URL is ${publicUrl}, without TLS.`, cure);
  return good("address", publicUrl);
}

/** The server speaks HTTP only, so a proxy that ends TLS stands in front, and callers have its address. */
function judgeProxy({ trustProxy, host }: Settings): Finding {
  if (trustProxy === false) {
    return missing(
      "proxy",
      "TRUST_PROXY is false: every caller seems to come from the proxy that ends TLS.",
      "Set TRUST_PROXY to the number of proxies in front, or to their addresses.",
    );
  }
  if (host === "0.0.0.0" || host === "::") {
    return look(
      "proxy",
      `HOST is ${host}: whoever reaches this port directly may claim any address.`,
      "Let a firewall keep everybody but the proxy out, or listen on 127.0.0.1.",
    );
  }
  return good("proxy", `${trustProxy} in front`);
}

function judgeLogins({ databaseUrl, databaseOwnerUrl }: Settings): Finding {
  if (databaseOwnerUrl !== undefined && databaseOwnerUrl !== databaseUrl) {
    return good("logins", "Tables are owned by one login, and served by another.");
  }
  return look(
    "logins",
    "One login owns the tables and serves requests; the server makes itself a lesser one where it may.",
    "Give DATABASE_OWNER_URL for migrations and DATABASE_URL for a member of jara_app.",
  );
}

function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") || hostname === "0.0.0.0";
}
