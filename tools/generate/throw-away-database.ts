import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../server/src/platform/database/migrations.ts";
import { startEmbeddedPostgres } from "../../server/src/platform/embedded-postgres/start.ts";

/** Gives `work` the owner's address of a freshly migrated database that is gone afterwards. */
export async function withMigratedDatabase<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "jara-generate-"));
  try {
    const server = await startEmbeddedPostgres({ folder, settings: { fsync: "off" } });
    try {
      await migrate(server.ownerUrl);
      return await work(server.ownerUrl);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
