import { rmSync } from "node:fs";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { costsFolder } from "../../tools/budget/budget.ts";
import { repliesFolder } from "../../tools/replies/whole-run.ts";
import { migrate } from "../src/platform/database/migrations.ts";
import { startEmbeddedPostgres } from "../src/platform/embedded-postgres/start.ts";
import { prepareJobs } from "../src/platform/work/jobs-schema.ts";
import { house } from "../src/start/slices.ts";
import { makeQuickFolder } from "./quick-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    ownerUrl: string;
    appUrl: string;
    /** Where tests write down which replies they saw. */
    repliesFolder: string;
  }
}

/**
 * Losing this cluster's data in a power cut harms nobody; what is tested about durability runs its own server. No
 * database lives long enough to be vacuumed, and nobody guesses a password that is gone with the cluster.
 */
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  scram_iterations: "1",
  max_connections: "300",
};

/** One throw-away PostgreSQL for the whole run, all suites of it, with a migrated template that each test file clones. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ("ownerUrl" in vitest.getRootProject().getProvidedContext()) return undefined;
  const folder = makeQuickFolder("jara-test-");
  const server = await startEmbeddedPostgres({ folder, settings });
  await migrate(server.ownerUrl);
  await prepareJobs(server.ownerUrl, house.taskKinds);
  const client = new pg.Client({ connectionString: server.ownerUrl.replace(/jara$/, "postgres") });
  await client.connect();
  await client.query("alter database jara rename to jara_template");
  // The same one, hashed again: the cluster was made before it had our settings.
  await client.query(`alter role jara_owner password ${client.escapeLiteral(new URL(server.ownerUrl).password)}`);
  await client.end();
  vitest.provide("ownerUrl", server.ownerUrl);
  vitest.provide("appUrl", server.appUrl);
  for (const ofLastRun of [repliesFolder, costsFolder]) rmSync(ofLastRun, { recursive: true, force: true });
  vitest.provide("repliesFolder", repliesFolder);
  return async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
