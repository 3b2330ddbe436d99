/**
 * A peer: pgledger's own function, called on as many connections as a server without group commit would have, on the
 * same PostgreSQL in a database of its own. Its SQL is not part of this project: BENCH_PGLEDGER names the files, in the
 * order in which they are run (uuid-to-ulid.sql,ulid-to-uuid.sql,pgledger.sql of its repository).
 */
import { readFileSync } from "node:fs";
import pg from "pg";
import type { Stage } from "./stage.ts";

const connections = 16;
const files = process.env["BENCH_PGLEDGER"];

export interface Peer {
  /** Transfers a second out of one account, into another. */
  run(seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** Undefined when nobody named its files. */
export async function openPgledger({ admin, ownerUrl }: Stage): Promise<Peer | undefined> {
  if (files === undefined) return undefined;
  await admin.query("create database pgledger");
  const url = new URL(ownerUrl);
  url.pathname = "/pgledger";
  const pool = new pg.Pool({ connectionString: url.toString(), max: connections });
  for (const file of files.split(",")) await pool.query(readFileSync(file, "utf8"));
  const [from, to] = [await openAccount(pool, "wallet"), await openAccount(pool, "held")];
  return {
    async run(seconds) {
      let made = 0;
      const started = performance.now();
      const until = started + seconds * 1000;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          while (performance.now() < until) {
            await pool.query({
              name: "transfer",
              text: "select id from pgledger_create_transfer($1, $2, $3)",
              values: [from, to, "1500"],
            });
            made += 1;
          }
        }),
      );
      return made / ((performance.now() - started) / 1000);
    },
    close: () => pool.end(),
  };
}

async function openAccount(pool: pg.Pool, name: string): Promise<string> {
  const found = await pool.query<{ id: string }>("select id from pgledger_create_account($1, 'NGN')", [name]);
  const [row] = found.rows;
  if (row === undefined) throw new Error("pgledger opened no account");
  return row.id;
}
