import { sql } from "kysely";
import type { Database, EnvironmentKind } from "../../platform/database/database.ts";
import { retryRepeatable } from "../../platform/database/retry-transient.ts";
import type { PageKind } from "../../platform/http/caller.ts";

interface PageRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly page_id: string;
  /** Null while nobody can say when. */
  readonly closes_at: Date | null;
}

export async function findPage(db: Database, kind: PageKind, hash: Buffer): Promise<PageRow | undefined> {
  const found = await retryRepeatable(() =>
    sql<PageRow>`
      select environment_id, environment_kind, page_id, closes_at from find_page(${kind}, ${hash})`.execute(db),
  );
  return found.rows[0];
}
