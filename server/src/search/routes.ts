import { type Static, Type } from "typebox";
import { kobo, nairaNumber } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { hasScope } from "../platform/http/caller.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { NairaNumber, Nullable, Timestamp } from "../platform/http/wire.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import { type FoundRow, findRows, searchDepth } from "./search-store.ts";
import { readSought } from "./sought.ts";

export interface SearchRouteDependencies {
  /** What can be found of all slices. */
  readonly searched: readonly SearchedKind[];
}

export function searchRoutes({ searched }: SearchRouteDependencies): Route[] {
  return [
    describeRoute("key", {
      method: "GET",
      path: "/search",
      operationId: "search",
      tag: "Search",
      summary: "Find a record",
      description: `By what you have at hand. Ids, references, session ids and customers' telephones are found however old they are; account numbers, amounts, names and parts of references among the newest ${searchDepth.toLocaleString("en")} records of a kind. You see what the key's scopes may read.`,
      scope: "search:read",
      query: searchQuery,
      reply: { status: 200, message: "Search done", data: searchData },
      handle: ({ query: { q }, caller, read }) => {
        const allowed = searched.filter(({ scope }) => hasScope(caller, scope));
        return read(async (tx) => ({ data: await searchAll(tx, allowed, q) }));
      },
    }),
  ];
}

/** Asks every slice that the caller may read, and shows what fits best. */
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

const findData = named(
  "SearchResult",
  Type.Object({
    kind: Type.String({ description: "What it is.", examples: ["transfer"] }),
    id: Type.String({ examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
    title: Type.String({ description: "What you know it by.", examples: ["payout-1042"] }),
    subtitle: Type.String({ examples: ["ADAEZE OKAFOR · 0690000032 · Access Bank"] }),
    status: Nullable(Type.String({ examples: ["completed"] })),
    amount: Nullable(NairaNumber),
    createdAt: Timestamp,
    path: Type.String({
      description: "Where it is read: the record itself, or its trace.",
      examples: ["/transfers/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"],
    }),
  }),
);

const searchData = Type.Array(findData, { description: "The best fit first; at most 20." });

type PresentedFind = Static<typeof findData>;

export const searchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "\\S",
    description:
      "A reference, an id, a request id, an account number, a telephone, an amount, a name or an e-mail address.",
    examples: ["payout-1042"],
  }),
});
