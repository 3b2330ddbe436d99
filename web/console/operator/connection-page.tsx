/** One connection to a provider: whether it takes orders, why not, what is left there, and what can be done. */
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
import { StatusChip } from "../parts/status-chip.tsx";
import { OperatorAllowed } from "./operator-allowed.tsx";

interface Connection {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly mode: string;
  readonly ports: readonly string[];
  readonly state: "active" | "paused" | "retired";
  readonly hold: { readonly message: string; readonly advice: string; readonly since: string } | null;
  readonly float: { readonly available: number; readonly readAt: string } | null;
  readonly health: { readonly state: "ok" | "failing"; readonly calls: number; readonly unanswered: number };
  readonly checkedAt: string;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string | null }[];
}

export function ConnectionPage() {
  const id = useId();
  return (
    <RecordView<Connection> path={`/connections/${id}`}>
      {(connection) => (
        <div className="grid gap-4">
          <PageHead
            title={connection.name}
            about={<StatusChip status={connection.hold === null ? connection.state : "held"} />}
          >
            <Steps connection={connection} />
          </PageHead>
          {connection.hold === null ? null : (
            <p role="note" className="card border-line bg-warning-tint p-4">
              <strong>{connection.hold.message}.</strong> {connection.hold.advice} Since{" "}
              <Moment at={connection.hold.since} />.
            </p>
          )}
          <Panel title="Connection">
            <Facts
              facts={[
                ["Provider", `${words(connection.provider)} · ${connection.mode}`],
                ["Serves", connection.ports.join(", ")],
                ["Float", <Money key="float" amount={connection.float?.available ?? null} />],
                ["Float read", <Moment key="read" at={connection.float?.readAt ?? null} />],
                ["Health", `${connection.health.unanswered} of the last ${connection.health.calls} calls unanswered`],
                ["Checked", <Moment key="checked" at={connection.checkedAt} />],
              ]}
            />
          </Panel>
          <Panel title="Checks">
            <ul>
              {connection.checks.map(({ name, ok, message }) => (
                <li
                  key={name}
                  className="flex flex-wrap justify-between gap-3 border-b border-line px-4 py-2 last:border-0"
                >
                  <span>
                    <span className="font-medium">{words(name)}</span> <span className="text-soft">{message}</span>
                  </span>
                  <StatusChip status={ok ? "passed" : "failed"} tone={ok ? "good" : "bad"} />
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

function Steps({ connection: { id, state } }: { readonly connection: Connection }) {
  const { at } = useRoom();
  const become = (next: string) => () => ({
    path: `/connections/${id}`,
    method: "PATCH" as const,
    body: { state: next },
  });
  return (
    <>
      <OperatorAllowed change="checks">
        <ActionButton
          label="Check"
          about="Asks the provider whether it takes our orders, and reads our balance there."
          request={() => ({ path: `/connections/${id}/check`, body: {} })}
        />
      </OperatorAllowed>
      <OperatorAllowed change="reconciliations">
        <ActionButton<{ readonly id: string }>
          label="Compare a day"
          about="Compares orders, ledger and the provider's list for one day in Lagos."
          fields={<TextField label="Day" name="date" type="date" required />}
          request={(form) => ({ path: "/reconciliations", body: { connectionId: id, date: form("date") } })}
          result={(run) => (
            <Link to={at(`/reconciliation/${run.id}`)} className="text-brand underline underline-offset-4">
              See how it goes
            </Link>
          )}
        />
      </OperatorAllowed>
      <OperatorAllowed change="connections">
        {state === "active" ? (
          <ActionButton
            label="Pause"
            look="danger"
            about="New orders go to the next connection of the route, or wait. What was sent is asked about as before."
            request={become("paused")}
          />
        ) : null}
        {state === "paused" ? (
          <ActionButton
            label="Resume"
            look="primary"
            about="New orders may go here again."
            request={become("active")}
          />
        ) : null}
      </OperatorAllowed>
    </>
  );
}
