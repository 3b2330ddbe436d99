/**
 * Makes a standby from the primary, as Patroni wants it: `--datadir FOLDER --connstring WHERE`. It stands in for
 * `pg_basebackup`, which the npm package with PostgreSQL leaves out; all nodes are on this machine, so it copies.
 */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { takeBackup } from "../../../server/src/platform/backups/take-backup.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: { "owner-file": text, datadir: text, connstring: text, scope: text, role: text },
});
const { datadir = "", connstring = "", "owner-file": ownerFile = "" } = values;

const port = /\bport=(\d+)/.exec(connstring)?.[1];
const password = readFileSync(ownerFile, "utf8").trim();
const ownerUrl = `postgres://jara_owner:${password}@127.0.0.1:${port}/postgres`;

const client = new pg.Client({ connectionString: ownerUrl });
await client.connect();
const shown = await client.query<{ data_directory: string }>("show data_directory");
await client.end();

const shelf = `${datadir}.clone`;
rmSync(shelf, { recursive: true, force: true });
const { folder } = await takeBackup({ ownerUrl, dataFolder: shown.rows[0]?.data_directory ?? "" }, shelf, "clone");
rmSync(datadir, { recursive: true, force: true });
renameSync(join(folder, "data"), datadir);
rmSync(shelf, { recursive: true, force: true });
