/** Links whose card is typed in on the simulated bank's own page, in the simulated network's books. */
import type pg from "pg";
import type { CardLinkStart } from "../../rails/card.ts";
import { booksOf } from "../in-books.ts";

export interface PageLink {
  readonly status: "open" | "left" | "declined" | "linked" | "unlinked";
  readonly returnUrl: string;
  readonly openedAt: Date;
}

/** Opens the page. One that is open, or was used, stays as it is. */
export async function openPageLink(pool: pg.Pool, start: CardLinkStart, now: Date): Promise<void> {
  const { environmentId, linkId, customerId, returnUrl } = start;
  await booksOf(pool, environmentId).query(
    `insert into simulated_card.links as l (sandbox, link_id, customer_id, status, return_url, opened_at, attempts)
     values ($1, $2, $3, 'open', $4, $5, 1)
     on conflict (sandbox, link_id) do update set attempts = l.attempts + 1`,
    [environmentId, linkId, customerId, returnUrl, now],
  );
}

interface PageLinkRow {
  readonly status: PageLink["status"];
  readonly return_url: string;
  readonly opened_at: Date;
}

/** Undefined when no page was opened for the link. */
export async function findPageLink(pool: pg.Pool, sandbox: string, linkId: string): Promise<PageLink | undefined> {
  const found = await booksOf(pool, sandbox).query<PageLinkRow>(
    `select status, return_url, opened_at from simulated_card.links
     where sandbox = $1 and link_id = $2 and return_url is not null`,
    [sandbox, linkId],
  );
  return found.rows.map(({ status, return_url: returnUrl, opened_at: openedAt }) => ({
    status,
    returnUrl,
    openedAt,
  }))[0];
}

/** Closes a page that nobody used. False when somebody did. */
export async function closePageLink(pool: pg.Pool, sandbox: string, linkId: string): Promise<boolean> {
  const closed = await booksOf(pool, sandbox).query(
    `update simulated_card.links set status = 'left'
     where sandbox = $1 and link_id = $2 and status in ('open', 'left') returning link_id`,
    [sandbox, linkId],
  );
  return closed.rows.length === 1;
}
