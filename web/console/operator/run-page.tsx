/** One comparison of a day with a provider: the three books, what differs, and why it may. */
import { Link } from "@tanstack/react-router";
import { useRoom } from "../api/place.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { Empty } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { OperatorAllowed } from "./operator-allowed.tsx";
import { paymentPath } from "./payment-path.ts";

interface Ours {
  readonly type: string;
  readonly id: string;
  readonly amount: number | null;
  readonly status: string;
  readonly orderId: string;
}

interface Theirs {
  readonly amount: number | null;
  readonly status: string;
  readonly providerReference: string;
}

interface Exception {
  readonly id: string;
  readonly kind: string;
  readonly ours: Ours | null;
  readonly theirs: Theirs | null;
  readonly ageDays: number;
  readonly closedAt: string | null;
  readonly resolvedBy: string | null;
  readonly reason: string | null;
}

interface Run {
  readonly id: string;
  readonly date: string;
  readonly version: number;
  readonly state: "running" | "clean" | "exceptions" | "failed";
  readonly requestedBy: string;
  readonly counts: { readonly orders: number; readonly records: number; readonly agreed: number } | null;
  readonly failure: { readonly message: string } | null;
  readonly completedAt: string | null;
  readonly exceptions: readonly Exception[];
}

const tones = { running: "busy", clean: "good", exceptions: "warn", failed: "bad" } as const;

export function RunPage() {
  const id = useId();
  return (
    <RecordView<Run>
      path={`/reconciliations/${id}`}
      again={(run) => (run === undefined || run.state === "running" ? 2_000 : false)}
    >
      {(run) => (
        <div className="grid gap-4">
          <PageHead title={`Day ${run.date}`} about={<StatusChip status={run.state} tone={tones[run.state]} />} />
          <Panel title="Comparison">
            <Facts
              facts={[
                ["Orders of ours", run.counts?.orders],
                ["At the provider", run.counts?.records],
                ["Agreed", run.counts?.agreed],
                ["Version", run.version],
                ["Asked by", run.requestedBy],
                ["Ended", <Moment key="ended" at={run.completedAt} />],
                ...(run.failure === null ? [] : [["Why it failed", run.failure.message] as const]),
              ]}
            />
          </Panel>
          <Panel title="Differences">
            {run.exceptions.length === 0 ? <NoException state={run.state} /> : null}
            <ul>
              {run.exceptions.map((exception) => (
                <ExceptionRow key={exception.id} exception={exception} />
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

/** A day that was not compared to its end may differ in anything. */
function NoException({ state }: Pick<Run, "state">) {
  if (state === "running") return <Empty title="Not known yet">The day is being compared.</Empty>;
  if (state === "failed") return <Empty title="Not known">Compare the day again: the connection's page does it.</Empty>;
  return <Empty title="No differences found">No exception was found.</Empty>;
}

function stateOf({ resolvedBy, closedAt }: Exception): string {
  if (resolvedBy !== null) return "resolved";
  return closedAt === null ? "open" : "closed";
}

function ageOf(days: number): string {
  if (days === 0) return "under a day";
  return days === 1 ? "1 day" : `${days} days`;
}

interface BookProps {
  readonly name: string;
  readonly side: { readonly amount: number | null; readonly status: string } | null;
}

/** What one side's book says of the payment. */
function Book({ name, side }: BookProps) {
  if (side === null) return <p>{`${name}: not there`}</p>;
  return (
    <p>
      {`${name}: `}
      <Money amount={side.amount} />
      {`, ${words(side.status).toLowerCase()}`}
    </p>
  );
}

function ExceptionRow({ exception }: { readonly exception: Exception }) {
  const { id, kind, ours, theirs, ageDays, reason, resolvedBy } = exception;
  const state = stateOf(exception);
  const { at } = useRoom();
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 last:border-0">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium">{words(kind)}</p>
        <Book name="Ours" side={ours} />
        <Book name="Theirs" side={theirs} />
        {ours === null ? (
          <p className="font-mono text-xs break-all text-soft">{theirs?.providerReference}</p>
        ) : (
          <Link
            to={at(paymentPath(ours))}
            className="font-mono text-xs break-all text-brand underline underline-offset-4"
          >
            {ours.orderId}
          </Link>
        )}
        {reason === null ? null : <p className="text-sm text-soft">{`${resolvedBy}: ${reason}`}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-soft">{ageOf(ageDays)}</span>
        <StatusChip status={state} />
        {state === "open" ? (
          <OperatorAllowed change="reconciliations">
            <ActionButton
              label="Resolve"
              about="Says why the books differ, once. It moves no money: mend the order or the books first."
              fields={<TextField label="Reason" name="reason" required />}
              request={(form) => ({
                path: `/reconciliations/exceptions/${id}/resolve`,
                body: { reason: form("reason") },
              })}
            />
          </OperatorAllowed>
        ) : null}
      </div>
    </li>
  );
}
