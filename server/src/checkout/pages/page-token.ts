/**
 * What opens a hosted page. The token stands in the fragment of the page's address, which browsers keep to themselves:
 * no server's log and no Referer header ever sees it. We keep its hash to find the page by, and the token itself
 * sealed, so that the address can be shown again to the merchant who asked for it.
 *
 * An address lives on in histories and chats. So every token ends: a checkout's a day after the checkout, because the
 * page shows how it went, a plan's after its weeks. From then on it opens nothing, whatever route is called.
 */
import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Database, type EnvironmentKind, timeIn } from "../../platform/database/database.ts";
import { retryRepeatable } from "../../platform/database/retry-transient.ts";
import type { Page, PageKind } from "../../platform/http/caller.ts";
import { httpProblem } from "../../platform/http/http-problems.ts";

export function newPageToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A token has 256 random bits, so a plain hash cannot be reversed. */
export function hashPageToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** Returns whose page a token opens; undefined for a token that opens none. Throws page_ended. */
export function createPageFinder(db: Database): (kind: PageKind, token: string) => Promise<Page | undefined> {
  return async (kind, token) => {
    const hash = hashPageToken(token);
    const row = await findPage(db, kind, hash);
    if (row === undefined) return undefined;
    if (row.closes_at !== null) await refuseClosed(db, row.environment_id, row.closes_at);
    const { environment_id: environmentId, environment_kind: environmentKind, page_id: pageId } = row;
    return { kind, pageId, environmentId, environmentKind };
  };
}

/** In the environment's time, which only the environment knows. */
async function refuseClosed(db: Database, environmentId: string, closesAt: Date): Promise<void> {
  if ((await timeIn(db, environmentId)) >= closesAt) throw httpProblem("page_ended");
}

interface PageRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly page_id: string;
  /** Null while nobody can say when. */
  readonly closes_at: Date | null;
}

async function findPage(db: Database, kind: PageKind, hash: Buffer): Promise<PageRow | undefined> {
  const found = await retryRepeatable(() =>
    sql<PageRow>`
      select environment_id, environment_kind, page_id, closes_at from find_page(${kind}, ${hash})`.execute(db),
  );
  return found.rows[0];
}
