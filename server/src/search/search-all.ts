/** Asks every slice that the caller may read, and shows what fits best. */
import { kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import type { PresentedFind } from "./schemas.ts";
import { type FoundRow, findRows } from "./search-store.ts";
import { readSought } from "./sought.ts";

const mostShown = 20;

interface Find extends FoundRow {
  readonly of: SearchedKind;
}

/** Best first: by key before by a whole column before by words, and the newest first among equals. */
export async function searchAll(tx: Tx, kinds: readonly SearchedKind[], typed: string): Promise<PresentedFind[]> {
  const sought = readSought(typed);
  if (sought === null) return [];
  const finds = new Map<string, Find>();
  for (const of of kinds) {
    const rows = await findRows(tx, of, sought, mostShown);
    // What fits in several ways comes several times, the best first.
    for (const row of rows.toReversed()) finds.set(`${of.kind} ${row.id}`, { ...row, of });
  }
  return [...finds.values()].toSorted(byFit).slice(0, mostShown).map(present);
}

function byFit(a: Find, b: Find): number {
  return b.fit - a.fit || b.createdAt.getTime() - a.createdAt.getTime();
}

function present({ id, title, details, status, amount, createdAt, of }: Find): PresentedFind {
  const { kind, path, describe = (same) => same } = of;
  return {
    kind,
    id,
    title,
    subtitle: describe(details)
      .filter((detail) => detail !== null && detail !== "")
      .join(" · "),
    status,
    amount: amount === null ? null : nairaNumber(kobo(amount)),
    createdAt: createdAt.toISOString(),
    path: path.replace("{id}", id),
  };
}
