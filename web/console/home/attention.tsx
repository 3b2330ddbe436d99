/** What a person should look at now. What is fine takes one line. */
import type { Attention as Told } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import type { Approval } from "../approvals/approval.ts";
import type { Event } from "../events/event.ts";
import { borrowerOf, type LoanRequest } from "../loans/loan.ts";
import { Panel } from "../parts/facts.tsx";
import { counted } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";

interface Way {
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
}

interface Matter extends Way {
  readonly title: string;
  readonly since: string | null;
  readonly items: readonly (Way & { readonly name: string })[];
}

const mostItems = 3;

/** Where the records of a kind of attention are. Kinds that this page does not know lead nowhere. */
const waysOf: Readonly<Record<string, { readonly all: Way; readonly one?: (id: string) => string }>> = {
  wallet_low: { all: { path: "/wallets" } },
  webhook_failing: { all: { path: "/developers" } },
  webhook_disabled: { all: { path: "/developers" } },
  payouts_waiting: {
    all: { path: "/transfers", search: { status: "pending,processing" } },
    one: (id) => `/transfers/${id}`,
  },
  bills_waiting: { all: { path: "/bills", search: { status: "processing" } }, one: (id) => `/bills/${id}` },
  loans_undecided: { all: { path: "/loans" }, one: (id) => `/loans/${id}` },
};

interface AttentionProps {
  /** What the server noticed by itself. */
  readonly told: readonly Told[];
  readonly isPending: boolean;
}

export function Attention({ told, isPending }: AttentionProps) {
  const lists = [useApprovals(), useOverdue(), useFailedEvents()];
  const matters = [...told.map(matterOf), ...lists.flatMap(({ matter }) => matter ?? [])];
  // Nobody is told that all is delivered next to an endpoint that takes nothing.
  const isEndpointDown = told.some(({ kind }) => kind.startsWith("webhook_"));
  const fine = lists.flatMap((list) =>
    list.isFine && !(isEndpointDown && list.path === "/events") ? [list.fine] : [],
  );
  const failed = lists.filter(({ error }) => error !== null);
  const isReading = isPending || lists.some((list) => list.isPending);
  return (
    <Panel title="Needs attention">
      <ul>
        {matters.map((matter) => (
          <MatterRow key={matter.title} matter={matter} />
        ))}
      </ul>
      {failed.map(({ error, retry, fine: words }) => (
        <Failure key={words} error={error} retry={retry} />
      ))}
      {isReading && matters.length === 0 ? <Skeleton lines={2} /> : null}
      {fine.length === 0 ? null : <p className="px-4 py-3 text-soft">{fine.join(" · ")}</p>}
    </Panel>
  );
}

function MatterRow({ matter: { title, since, items, path, search = {} } }: { readonly matter: Matter }) {
  const { at } = useEnvironment();
  return (
    <li className="grid gap-1 border-b border-line px-4 py-3">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="flex min-w-0 items-baseline gap-2 font-medium">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-warning" />
          <span className="min-w-0 break-words">{title}</span>
        </span>
        {path === "" ? null : (
          <Link to={at(path)} search={search} className="text-sm text-brand underline underline-offset-4">
            Open
          </Link>
        )}
      </span>
      <span className="flex flex-wrap gap-x-4 pl-4 text-xs text-soft">
        {since === null ? null : (
          <span>
            Since <Moment at={since} />
          </span>
        )}
        {items.map((item) => (
          <Link key={item.path + item.name} data-row to={at(item.path)} className="truncate hover:underline">
            {item.name}
          </Link>
        ))}
      </span>
    </li>
  );
}

function matterOf({ kind, title, since, items }: Told): Matter {
  const { all, one } = waysOf[kind] ?? { all: { path: "" } };
  const named = one === undefined ? [] : items.map(({ id, title: name }) => ({ path: one(id), name }));
  return { ...all, title, since, items: named.slice(0, mostItems) };
}

interface Watched<Row> extends Way {
  readonly params: Readonly<Record<string, string>>;
  readonly titleOf: (count: number) => string;
  readonly fine: string;
  readonly itemOf: (row: Row) => { readonly path: string; readonly name: string };
}

/** A list that is empty on a good day. */
function useWatched<Row>({ path, params, titleOf, fine, itemOf }: Watched<Row>) {
  const query = useList<Row>(path, params);
  const [page] = query.data?.pages ?? [];
  const rows = page?.rows ?? [];
  const count = page?.total ?? rows.length;
  const items = rows.slice(0, mostItems).map(itemOf);
  const matter = rows.length === 0 ? undefined : { path, search: params, title: titleOf(count), since: null, items };
  return {
    path,
    matter,
    fine,
    isFine: query.isSuccess && rows.length === 0,
    isPending: query.isPending,
    error: query.isError ? query.error : null,
    retry: () => query.refetch(),
  };
}

const useApprovals = () =>
  useWatched<Approval>({
    path: "/approvals",
    params: { waiting: "true" },
    titleOf: (count) => `${counted(count, "payment")} ${count === 1 ? "needs" : "need"} a second person's approval.`,
    fine: "No approvals waiting",
    itemOf: ({ id, reference }) => ({ path: `/approvals/${id}`, name: reference }),
  });

const useOverdue = () =>
  useWatched<LoanRequest>({
    path: "/loans",
    params: { status: "overdue" },
    titleOf: (count) => `${counted(count, "loan")} ${count === 1 ? "is" : "are"} overdue.`,
    fine: "No overdue loans",
    itemOf: (loan) => ({ path: `/loans/${loan.id}`, name: borrowerOf(loan) }),
  });

const useFailedEvents = () =>
  useWatched<Event>({
    path: "/events",
    params: { status: "failed" },
    titleOf: (count) => `${counted(count, "event")} could not be delivered.`,
    fine: "No failed deliveries",
    itemOf: ({ id, event }) => ({ path: `/events/${id}`, name: event }),
  });
