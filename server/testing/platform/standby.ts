/** A PostgreSQL of the test's own with a standby beside it, both real: what streaming replication does to readings. */
import { appendFileSync, copyFileSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { copyTree } from "../../src/platform/backups/copy-tree.ts";
import { folderOf } from "../../src/platform/backups/shelf.ts";
import { takeBackup } from "../../src/platform/backups/take-backup.ts";
import { migrate } from "../../src/platform/database/migrations.ts";
import { findLodging } from "../../src/platform/embedded-postgres/account.ts";
import { findBinaries } from "../../src/platform/embedded-postgres/binaries.ts";
import { startPostmaster, stopPostmaster } from "../../src/platform/embedded-postgres/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/embedded-postgres/start.ts";
import { makeQuickFolder } from "../quick-folder.ts";

export interface Pair {
  readonly primary: EmbeddedPostgres;
  /** The standby's addresses, with the logins of the primary. */
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** What arrives is kept and not replayed: the standby is late from now on. */
  holdReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** The standby becomes a primary of its own. */
  promote(): Promise<void>;
  stopStandby(): Promise<void>;
  close(): Promise<void>;
}

export async function openPair(): Promise<Pair> {
  const folder = makeQuickFolder("jara-pair-");
  const primary = await startEmbeddedPostgres({ folder: join(folder, "primary"), settings: { fsync: "off" } });
  await migrate(primary.ownerUrl);
  const home = join(folder, "standby");
  await layOutStandby(primary, join(folder, "backups"), home);
  const lodging = findLodging(realpathSync(home), findBinaries());
  const data = join(lodging.folder, "data");
  const standby = await startPostmaster(lodging, { fsync: "off" });
  const at = (given: string): string => Object.assign(new URL(given), { port: String(standby.port) }).toString();
  const ownerUrl = at(primary.ownerUrl);
  const say = (statement: string) => ask(ownerUrl, statement);
  const stopStandby = () => stopPostmaster(data, standby.pid);
  return {
    primary,
    ownerUrl,
    appUrl: at(primary.appUrl),
    holdReplay: () => say("select pg_wal_replay_pause()"),
    resumeReplay: () => say("select pg_wal_replay_resume()"),
    promote: () => say("select pg_promote()"),
    stopStandby,
    close: async () => {
      await stopStandby();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function layOutStandby(primary: EmbeddedPostgres, shelf: string, home: string): Promise<void> {
  mkdirSync(shelf);
  mkdirSync(home);
  const source = { ownerUrl: primary.ownerUrl, dataFolder: join(primary.folder, "data") };
  await takeBackup(source, shelf, "first");
  const data = join(home, "data");
  await copyTree(join(folderOf(shelf, "first"), "data"), data);
  const { hostname, port, username, password } = new URL(primary.ownerUrl);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `\nprimary_conninfo = '${conninfo}'\n`);
  writeFileSync(join(data, "standby.signal"), "");
  copyFileSync(join(primary.folder, "password"), join(home, "password"));
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
