import type { SearchResult } from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { CallOptions } from "../calling/settings.ts";

/** Records by what a person has at hand. */
export function search({ call }: Pick<Caller, "call">) {
  return (q: string, options?: CallOptions): Promise<SearchResult[]> => call("GET /search", { query: { q } }, options);
}
