/** One comparison of a day with a provider: the three books, what differs, and why it may. */
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

interface Side {
  readonly amount: number | null;
  readonly status?: string;
  readonly orderId?: string;
  readonly reference?: string | null;
}

interface Exception {
  readonly id: string;
  readonly kind: string;
  readonly ours: Side | null;
  readonly theirs: Side | null;
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
          <Panel title="What differs">
            {run.exceptions.length === 0 ? <Empty title="Nothing differs">No exception was found.</Empty> : null}
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

function stateOf({ resolvedBy, closedAt }: Exception): string {
  if (resolvedBy !== null) return "resolved";
  return closedAt === null ? "open" : "closed";
}

function ExceptionRow({ exception }: { readonly exception: Exception }) {
  const { id, kind, ours, theirs, ageDays, reason, resolvedBy } = exception;
  const state = stateOf(exception);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 last:border-0">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium">{words(kind)}</p>
        <p>
          {"Ours "}
          <Money amount={ours?.amount ?? null} />
          {` ${ours?.status ?? ""}, theirs `}
          <Money amount={theirs?.amount ?? null} />
          {` ${theirs?.status ?? ""}`}
        </p>
        <p className="font-mono text-xs break-all text-soft">{ours?.orderId ?? theirs?.reference}</p>
        {reason === null ? null : <p className="text-sm text-soft">{`${resolvedBy}: ${reason}`}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-soft">{`${ageDays} days`}</span>
        <StatusChip status={state} />
        {state === "open" ? (
          <ActionButton
            label="Resolve"
            about="Says why the books differ, once. It moves no money: mend the order or the books first."
            fields={<TextField label="Reason" name="reason" required />}
            request={(form) => ({
              path: `/reconciliations/exceptions/${id}/resolve`,
              body: { reason: form("reason") },
            })}
          />
        ) : null}
      </div>
    </li>
  );
}
