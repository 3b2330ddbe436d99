import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { describeControlFile } from "./control-file.ts";

test("the control file of a running PostgreSQL says what PostgreSQL itself says", async () => {
  const url = new URL(inject("ownerUrl"));
  url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(
    `select current_setting('data_directory') as folder, system_identifier::text as system,
       timeline_id::text as timeline, current_setting('max_connections') as connections,
       current_setting('max_wal_senders') as senders, current_setting('max_locks_per_transaction') as locks
     from pg_control_system(), pg_control_checkpoint()`,
  );
  await client.end();
  const [said] = rows;
  const text = describeControlFile(readFileSync(join(said?.["folder"] ?? "", "global", "pg_control")));
  const described = Object.fromEntries(text.split("\n").map((line) => line.split(/: +/)));
  expect(described).toMatchObject({
    "Database system identifier": said?.["system"],
    "Database cluster state": "in production",
    "Latest checkpoint's TimeLineID": said?.["timeline"],
    "max_connections setting": said?.["connections"],
    "max_wal_senders setting": said?.["senders"],
    "max_locks_per_xact setting": said?.["locks"],
  });
});

test("a control file of another version is refused", () => {
  const other = Buffer.alloc(296);
  other.writeUInt32LE(1300, 8);
  expect(() => describeControlFile(other)).toThrow("only 1800");
});
