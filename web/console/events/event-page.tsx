import type { Delivery } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { useList } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { JsonBlock } from "../parts/code-block.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { span } from "../parts/figures.ts";
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
  return (
    <article className="grid gap-2 border-b border-line p-4 last:border-0">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-medium break-all">{delivery.url}</h3>
        <span className="flex items-center gap-2">
          <StatusChip status={delivery.status} />
          <CopyButton text={asCurl(event, delivery.url)} label="Copy as curl" />
        </span>
      </header>
      {delivery.nextAttemptAt === null ? null : (
        <p className="text-soft">
          Next try <Moment at={delivery.nextAttemptAt} />
        </p>
      )}
      <ol className="grid gap-2">
        {delivery.attempts.map((attempt) => (
          <AttemptRow key={attempt.at} attempt={attempt} />
        ))}
      </ol>
    </article>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Delivery["attempts"][number] }) {
  const isTaken = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <li className="grid gap-1 rounded-lg bg-sunken px-3 py-2">
      <p className="flex flex-wrap items-center gap-3">
        <StatusChip status={isTaken ? "delivered" : "failed"} />
        <span className="font-mono text-xs">{attempt.status === null ? "no answer" : `HTTP ${attempt.status}`}</span>
        <span className="text-xs text-soft">{span(attempt.durationMs)}</span>
        <Moment at={attempt.at} />
      </p>
      {attempt.error === null ? null : <p className="text-danger">{attempt.error}</p>}
      {attempt.response === "" ? null : (
        <p className="font-mono text-xs break-all whitespace-pre-wrap text-soft">{attempt.response}</p>
      )}
    </li>
  );
}
