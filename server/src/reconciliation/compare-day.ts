/** Holds a day's orders, what the ledger has for them, and the provider's records against each other. Pure. */
import { sum } from "../money/arithmetic.ts";
import { zeroKobo } from "../money/kobo.ts";
import type { ProviderRecord } from "../rails/provider.ts";
import type { Comparison, ExceptionKind, FoundException, OurOrder, Total } from "./reconciliation.ts";

export interface Sides {
  /** Of the day, and those of other days that the day's records name. */
  readonly orders: readonly OurOrder[];
  readonly records: readonly ProviderRecord[];
  readonly kinds: readonly string[];
}

export interface Pair {
  readonly ours: OurOrder;
  readonly theirs: ProviderRecord | null;
}

export interface Matched {
  readonly pairs: readonly Pair[];
  /** Records that no order accounts for. */
  readonly strangers: readonly ProviderRecord[];
}

/**
 * Finds each order's record: by our id, or by the provider's own where its list leaves ours out. A second record under
 * our id, or one that is not the one we were told of, accounts for nothing of ours.
 */
export function matchSides({ orders, records }: Pick<Sides, "orders" | "records">): Matched {
  const byOurs = new Map(orders.map((order) => [keyOf(order.kind, order.orderId), order]));
  const byTheirs = new Map(
    orders.flatMap((order) =>
      order.providerReference === null ? [] : [[keyOf(order.kind, order.providerReference), order] as const],
    ),
  );
  const found = new Map<OurOrder, ProviderRecord>();
  const strangers: ProviderRecord[] = [];
  for (const record of [...records].sort(byAge)) {
    const ours =
      record.ourId === null
        ? byTheirs.get(keyOf(record.kind, record.providerReference))
        : byOurs.get(keyOf(record.kind, record.ourId));
    const isOther = ours?.providerReference != null && ours.providerReference !== record.providerReference;
    if (ours === undefined || isOther || found.has(ours)) strangers.push(record);
    else found.set(ours, record);
  }
  return { pairs: orders.map((ours) => ({ ours, theirs: found.get(ours) ?? null })), strangers };
}

function keyOf(kind: string, id: string): string {
  return `${kind}/${id}`;
}

function byAge(one: ProviderRecord, other: ProviderRecord): number {
  return (
    one.createdAt.getTime() - other.createdAt.getTime() || (one.providerReference < other.providerReference ? -1 : 1)
  );
}

/** How long an order may be open before that is an exception. */
const openForMs = 24 * 3_600_000;

export function compareDay({ pairs, strangers }: Matched, kinds: readonly string[], now: Date): Comparison {
  const judged = pairs.map((pair) => ({ pair, ...judge(pair, now) }));
  const exceptions: FoundException[] = [
    ...judged.flatMap(({ pair: { ours, theirs }, kinds: found }) => found.map((kind) => ({ kind, ours, theirs }))),
    ...strangers.filter(movesMoney).map((theirs) => ({ kind: "missing_with_us" as const, ours: null, theirs })),
  ];
  return {
    exceptions,
    counts: {
      orders: pairs.length,
      records: pairs.filter(({ theirs }) => theirs !== null).length + strangers.length,
      agreed: judged.filter(({ kinds: found, waits }) => found.length === 0 && !waits).length,
      waiting: judged.filter(({ waits }) => waits).length,
      exceptions: exceptions.length,
    },
    totals: kinds.map((kind) => totalOf(kind, pairs, strangers)),
  };
}

/** Anybody who opens a page makes a card transaction that takes nothing. To make a payout takes our key. */
function movesMoney({ kind, status }: ProviderRecord): boolean {
  return kind !== "charge" || status !== "failure";
}

interface Judgement {
  readonly kinds: readonly ExceptionKind[];
  /** Its outcome is open, and may be for now. */
  readonly waits: boolean;
}

function judge({ ours, theirs }: Pair, now: Date): Judgement {
  if (ours.state === "trial") return { kinds: [], waits: false };
  const waits =
    ours.state === "open" && (theirs?.status === "open" || now.getTime() - ours.sentAt.getTime() < openForMs);
  const kinds = new Set<ExceptionKind>();
  if (theirs === null) {
    // What was refused before it was made has no record.
    if (ours.state !== "failure" && !waits) kinds.add("missing_at_provider");
  } else {
    if (theirs.amount !== null && theirs.amount !== ours.amount) kinds.add("amount_differs");
    if (theirs.fee !== null && ours.fee !== null && theirs.fee !== ours.fee) kinds.add("fee_differs");
    if (!waits && !saysTheSame(ours.state, theirs.status)) kinds.add("status_differs");
  }
  const booked = judgeLedger(ours);
  if (booked !== undefined) kinds.add(booked);
  return { kinds: [...kinds], waits: waits && kinds.size === 0 };
}

/** Money that came back is a failure to us when we had not called it done before. */
function saysTheSame(ours: OurOrder["state"], theirs: ProviderRecord["status"]): boolean {
  const isBack = (state: string) => state === "failure" || state === "taken_back";
  return ours === theirs || (isBack(ours) && isBack(theirs));
}

/** An order that was done is booked with its amount; any other has nothing there, or nothing any more. */
function judgeLedger({ state, amount, ledger }: OurOrder): ExceptionKind | undefined {
  const promised = state === "success" && amount !== null ? amount : zeroKobo;
  if (ledger === promised) return undefined;
  return ledger === 0n || promised === 0n ? "status_differs" : "amount_differs";
}

/** Of what was done. Trials are charged and given back, and no book has them. */
function totalOf(kind: string, pairs: readonly Pair[], strangers: readonly ProviderRecord[]): Total {
  const own = pairs.filter(({ ours }) => ours.kind === kind && ours.state !== "trial");
  const records = [...own.flatMap(({ theirs }) => theirs ?? []), ...strangers.filter((record) => record.kind === kind)];
  return {
    kind,
    orders: sum(own.map(({ ours }) => (ours.state === "success" ? (ours.amount ?? zeroKobo) : zeroKobo))),
    ledger: sum(own.map(({ ours }) => ours.ledger)),
    provider: sum(records.map(({ status, amount }) => (status === "success" && amount !== null ? amount : zeroKobo))),
  };
}
