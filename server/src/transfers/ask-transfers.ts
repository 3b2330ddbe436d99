/** What is asked about transfers again and again, by many at the same moment: each question is asked once for all. */
import type { Tx } from "../platform/database/database.ts";
import type { Reply } from "../platform/http/route.ts";
import { type Pagination, paginationOf, readPage } from "../platform/records/pagination.ts";
import { findHolders } from "../platform/records/reference-claims.ts";
import type { Question } from "../platform/work/ask-together.ts";
import { type PresentedTransfer, presentTransfer } from "./present-transfer.ts";
import { payoutList, type Transfer } from "./transfer.ts";
import { readTransfers } from "./transfer-list-store.ts";
import { findTransfers } from "./transfer-store.ts";

type Shown = Reply<PresentedTransfer>;

/** Keys are ids. A disbursement is the lender's. */
export const payoutById: Question<Shown> = {
  async find(tx, ids) {
    const found = await findTransfers(tx, ids);
    return new Map(
      [...found].filter(([, { purpose }]) => purpose === "payout").map(([id, one]) => [id, show(tx, one)]),
    );
  },
};

/** Keys are references, of either kind. */
export const transferByReference: Question<Shown> = {
  async find(tx, references) {
    const holders = await findHolders(tx, payoutList, references);
    const found = await findTransfers(tx, [...new Set(holders.values())]);
    const shown = new Map([...found].map(([id, transfer]) => [id, show(tx, transfer)]));
    return new Map([...holders].flatMap(([reference, id]) => pairOf(reference, shown.get(id))));
  },
};

function pairOf(reference: string, shown: Shown | undefined): (readonly [string, Shown])[] {
  return shown === undefined ? [] : [[reference, shown]];
}

function show(tx: Tx, transfer: Transfer): Shown {
  return { data: presentTransfer(transfer, tx.environment.kind), isShared: true };
}

/** The first page of all transfers. Keys are how many it holds: the longest has what the others want. */
export const newestTransfers: Question<Reply<PresentedTransfer[]> & { readonly pagination: Pagination }> = {
  async find(tx, limits) {
    const longest = { page: 1, limit: Math.max(...limits.map(Number)) };
    const { rows, total } = await readPage(tx, payoutList, longest, (range) => readTransfers(tx, range));
    const data = rows.map((transfer) => presentTransfer(transfer, tx.environment.kind));
    const cut = (limit: number) =>
      ({ data: data.slice(0, limit), pagination: paginationOf(total, 1, limit), isShared: true }) as const;
    return new Map(limits.map((limit) => [limit, cut(Number(limit))]));
  },
};
