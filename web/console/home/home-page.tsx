/** The first look of the day: what there is, what needs somebody, and how money came and went. */
import type { Transfer, Wallet } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import type { Approval } from "../approvals/approval.ts";
import type { Event } from "../events/event.ts";
import { borrowerOf, type LoanRequest } from "../loans/loan.ts";
import { Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { Balance } from "../wallets/wallets-page.tsx";
import { MoneyPanels } from "./money-panels.tsx";

export function HomePage() {
  const { place } = useEnvironment();
  return (
    <div className="grid gap-4">
      <PageHead
        title="Home"
        about={`${place.merchant.name}, ${place.environment.kind === "LIVE" ? "live" : "sandbox"}`}
      />
      <RecordView<Wallet> path="/wallets/balance" again={() => 10_000}>
        {(wallet) => <Balance wallet={wallet} />}
      </RecordView>
      <Attention />
      <h2 className="text-lg font-semibold">How it goes</h2>
      <MoneyPanels />
    </div>
  );
}

/** Each is a list that is empty on a good day. */
function Attention() {
  return (
    <>
      <h2 className="text-lg font-semibold">What needs attention</h2>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2 2xl:grid-cols-4">
        <Watch<Approval>
          title="Waiting for a second person"
          path="/approvals"
          filter={{ waiting: "true" }}
          nothing="Nothing waits to be approved."
          more="/approvals"
          row={({ id, reference, amount, createdAt }) => ({
            path: `/approvals/${id}`,
            name: reference,
            aside: <Money amount={amount} />,
            at: createdAt,
          })}
        />
        <Watch<Transfer>
          title="Payouts under way"
          path="/transfers"
          filter={{ status: "processing" }}
          nothing="Every payout has its outcome."
          more="/transfers"
          row={(transfer) => ({
            path: `/transfers/${transfer.id}`,
            name: transfer.reference,
            aside: <Money amount={transfer.amount} />,
            at: transfer.createdAt,
          })}
        />
        <Watch<LoanRequest>
          title="Overdue loans"
          path="/loans"
          filter={{ status: "overdue" }}
          nothing="Nobody is late."
          more="/loans"
          row={(loan) => ({
            path: `/loans/${loan.id}`,
            name: borrowerOf(loan),
            aside: <Money amount={loan.amount} />,
            at: loan.created_at,
          })}
        />
        <Watch<Event>
          title="Events not delivered"
          path="/events"
          filter={{ status: "failed" }}
          nothing="Your endpoints took everything."
          more="/events"
          row={({ id, event, created_at }) => ({ path: `/events/${id}`, name: event, aside: null, at: created_at })}
        />
      </div>
    </>
  );
}

interface Line {
  readonly path: string;
  readonly name: string;
  readonly aside: ReactNode;
  readonly at: string;
}

interface WatchProps<Row> {
  readonly title: string;
  readonly path: string;
  readonly filter: Readonly<Record<string, string>>;
  /** What an empty one means. */
  readonly nothing: string;
  readonly more: string;
  readonly row: (row: Row) => Line;
}

const shown = 5;

/** The newest few of a list, and the way to all of them. */
function Watch<Row>({ title, path, filter, nothing, more, row }: WatchProps<Row>) {
  const { at } = useEnvironment();
  const query = useList<Row>(path, filter);
  const page = query.data?.pages[0];
  const lines = (page?.rows ?? []).slice(0, shown).map(row);
  const link = (
    <Link to={at(more)} search={filter} className="text-sm text-brand underline underline-offset-4">
      {page?.total === null || page === undefined ? "All" : `All ${page.total.toLocaleString("en-NG")}`}
    </Link>
  );
  return (
    <Panel title={title} aside={lines.length === 0 ? null : link}>
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && lines.length === 0 ? <p className="p-4 text-soft">{nothing}</p> : null}
      <ul>
        {lines.map((line) => (
          <li key={line.path} className="grid grid-cols-1 gap-0.5 border-b border-line px-4 py-2 last:border-0">
            <span className="flex justify-between gap-3">
              <Link data-row to={at(line.path)} className="min-w-0 truncate font-medium hover:underline">
                {line.name}
              </Link>
              {line.aside}
            </span>
            <span className="text-xs">
              <Moment at={line.at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
