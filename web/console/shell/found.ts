/** What a search finds, and where the console shows it. */
import type { SearchResult } from "@jara/sdk";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { entryOf } from "../../shared/entry-of.ts";
import { read } from "../api/client.ts";
import { useRoom } from "../api/place.ts";

/** Kinds that have a page of their own; everything else is shown by its trace. */
const pages: Readonly<Record<string, string>> = {
  transfer: "/transfers",
  transfer_batch: "/bulk",
  bill: "/bills",
  loan: "/loans",
  customer: "/customers",
  checkout_session: "/checkout",
  checkout_loan: "/checkout-loans",
  event: "/events",
};

export function pageOf({ kind, id }: Pick<SearchResult, "kind" | "id">): string {
  return `${entryOf(pages, kind) ?? "/trace"}/${id}`;
}

/** A person who types is asked for nothing until they pause. */
const pauseMs = 250;
const leastLetters = 2;

/** Records of this environment that fit what was typed. */
export function useFound(typed: string): { readonly finds: readonly SearchResult[]; readonly looking: boolean } {
  const { door, key, place } = useRoom();
  const q = useSettled(typed.trim(), pauseMs);
  const enabled = place !== null && q.length >= leastLetters;
  const { data, isFetching } = useQuery<readonly SearchResult[]>({
    queryKey: [key, "/search", q],
    queryFn: () => read(door, "/search", { q: q.slice(0, 100) }),
    enabled,
  });
  return { finds: enabled && data !== undefined ? data : [], looking: isFetching || q !== typed.trim() };
}

function useSettled(value: string, afterMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
