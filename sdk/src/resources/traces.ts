import type { Trace } from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { CallOptions } from "../calling/settings.ts";

/** Where the money is, and why. */
export function traces({ call }: Pick<Caller, "call">) {
  return {
    /** The story of a record, by any id in it: a payout, a bill, a loan, an event, a ledger transaction. */
    get: (id: string, options?: CallOptions): Promise<Trace> => call("GET /traces/{id}", { path: { id } }, options),
  };
}
