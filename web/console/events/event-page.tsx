import type { Delivery } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { JsonBlock, ResponseBlock } from "../parts/code-block.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { counted, span } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { ArchivedEvent } from "./archived-event.tsx";
import { asCurl, type Event, recordIdOf } from "./event.ts";

export function EventPage() {
  const id = useId();
  return (
    <RecordView<Event>
      path={`/events/${id}`}
      refused={({ code, data }) =>
        code === "event_archived" ? <Archived id={id} until={data["archivedUntil"]} /> : undefined
      }
    >
      {(event) => (
        <div className="grid gap-4">
          <PageHead
            title={event.event}
            about={
              <>
                <Moment at={event.created_at} /> · <RecordLink event={event} />
              </>
            }
          >
            <Allowed change="events">
              <ActionButton
                label="Send again"
                look="primary"
                about="Sends the event to your endpoints again, under the same id."
                request={() => ({ path: `/events/${id}/redeliver`, body: {} })}
              />
            </Allowed>
          </PageHead>
          <Deliveries event={event} />
          <Panel title="Payload">
            <JsonBlock value={event} label="the payload" />
          </Panel>
        </div>
      )}
    </RecordView>
  );
}

/** It is no mistake: the event is old, and the server keeps it in a file. */
function Archived({ id, until }: { readonly id: string; readonly until: unknown }) {
  const { place } = useEnvironment();
  return (
    <ArchivedEvent id={id} environmentId={place.environment.id} until={typeof until === "string" ? until : null} />
  );
}

function RecordLink({ event }: { readonly event: Event }) {
  const { at } = useEnvironment();
  const id = recordIdOf(event);
  if (id === null) return <>version {event.resource_version}</>;
  return (
    <Link to={at(`/trace/${id}`)} className="text-brand underline underline-offset-4">
      Where its money is
    </Link>
  );
}

function Deliveries({ event }: { readonly event: Event }) {
  const query = useList<Delivery>(`/events/${event.id}/deliveries`);
  const deliveries = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Panel title="Deliveries">
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && deliveries.length === 0 ? (
        <p className="p-4 text-soft">No endpoint wanted this event. Add one under Developers.</p>
      ) : null}
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.endpointId} delivery={delivery} event={event} />
      ))}
      <MoreRows query={query} />
    </Panel>
  );
}

function DeliveryRow({ delivery, event }: { readonly delivery: Delivery; readonly event: Event }) {
  const [newest, ...earlier] = delivery.attempts;
  return (
    <article className="grid gap-2 border-b border-line p-4 last:border-0">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <StatusChip status={delivery.status} />
          <h3 className="min-w-0 font-medium break-all">{delivery.url}</h3>
        </div>
        <CopyButton text={asCurl(event, delivery.url)} label="Copy as curl" />
      </header>
      <p className="text-soft">
        {counted(delivery.attemptCount, "attempt")}
        {delivery.nextAttemptAt === null ? null : (
          <>
            {" "}
            · Next attempt <Moment at={delivery.nextAttemptAt} />
          </>
        )}
      </p>
      {newest === undefined ? null : (
        <ol className="grid gap-2">
          <AttemptRow attempt={newest} />
        </ol>
      )}
      {earlier.length === 0 ? null : (
        <details>
          <summary className="text-sm text-brand">{`Show ${counted(earlier.length, "earlier attempt")}`}</summary>
          <ol className="mt-2 grid gap-2">
            {earlier.map((attempt) => (
              <AttemptRow key={attempt.at} attempt={attempt} />
            ))}
          </ol>
        </details>
      )}
    </article>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Delivery["attempts"][number] }) {
  const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <li className="grid gap-1.5 rounded-lg bg-sunken px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusChip status={isTaken ? "delivered" : "failed"} />
        <span className="font-mono text-xs">{attempt.status === null ? "No response" : `HTTP ${attempt.status}`}</span>
        <span className="text-xs text-soft">{span(attempt.durationMs)}</span>
        <Moment at={attempt.at} />
      </p>
      {attempt.error === null ? null : <p className="text-danger">{attempt.error}</p>}
      {attempt.status === null ? null : (
        <div className="grid gap-1">
          <p className="text-xs text-soft">Response of your endpoint</p>
          {attempt.response === "" ? (
            <p className="text-xs text-soft">Empty body</p>
          ) : (
            <ResponseBlock text={attempt.response} />
          )}
        </div>
      )}
    </li>
  );
}
