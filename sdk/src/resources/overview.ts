import type { GetOverviewQuery, Overview } from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { CallOptions } from "../calling/settings.ts";

/** The figures of a period, and what needs attention now. */
export function overview({ call }: Pick<Caller, "call">) {
  return {
    get: (query: GetOverviewQuery = {}, options?: CallOptions): Promise<Overview> =>
      call("GET /overview", { query }, options),
  };
}
