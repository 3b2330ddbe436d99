import { entryOf } from "../../shared/entry-of.ts";

/** Kinds of payments that have a page of their own among the operator's; of the others there is the trace. */
const pages: Readonly<Record<string, string>> = { transfer: "/transfers", bill: "/bills" };

export function paymentPath({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${entryOf(pages, type) ?? "/trace"}/${id}`;
}
