/**
 * pg-boss keeps its tables in a schema of its own, which belongs to the owner login like everything else. The
 * application may read and write rows there and nothing more: queues are created here, at start, and not by it.
 */

import { sql } from "kysely";
import pg from "pg";
import { PgBoss, type QueueOptions } from "pg-boss";
import type { Database } from "../database/database.ts";
import { jobsSchema } from "./jobs.ts";

/**
 * A killed worker is noticed when its heartbeat is ten seconds old, the shortest lease the library allows. A job that
 * throws is tried again five times within about a minute, then given up; the sweeper finds its record later.
 */
const queueSettings = {
  heartbeatSeconds: 10,
  expireInSeconds: 900,
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  deleteAfterSeconds: 3_600,
} as const satisfies QueueOptions;

/** Creates or migrates the job tables and sees that every kind has its queue. Safe to run by many at once. */
export async function prepareJobs(ownerUrl: string, kinds: readonly string[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: jobsSchema,
    max: 1,
    supervise: false,
    schedule: false,
  });
  // Without a listener an error event would end the process; every call below also rejects with it.
  boss.on("error", () => undefined);
  await boss.start();
  try {
    for (const kind of kinds) {
      await boss.createQueue(kind, { ...queueSettings, notify: true });
      await boss.updateQueue(kind, { ...queueSettings, notify: true });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  await grantToApplication(ownerUrl);
}

async function grantToApplication(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`
      begin;
      select pg_advisory_xact_lock(hashtext('jara.grant_jobs'));
      grant usage on schema ${jobsSchema} to jara_app, jara_lookup;
      grant select on ${jobsSchema}.version, ${jobsSchema}.queue to jara_app;
      grant update on ${jobsSchema}.version, ${jobsSchema}.queue to jara_app;
      grant select, insert, update, delete
        on ${jobsSchema}.job, ${jobsSchema}.job_common, ${jobsSchema}.job_dependency to jara_app;
      grant select on ${jobsSchema}.job to jara_lookup;
      commit;`);
  } finally {
    await client.end();
  }
}

export interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly active: number;
  /** Given up within the last hour. */
  readonly failed: number;
}

/** As the workers' supervision counted them, every few seconds: reading them costs next to nothing. */
export async function readJobCounts(db: Database): Promise<JobCounts[]> {
  const counted = await sql<JobCounts>`
    select name as kind, queued_count as waiting, active_count as active, failed_count as failed
    from pgboss.queue where name not like '\\_\\_pgboss%' order by name limit 1000`.execute(db);
  return counted.rows;
}
