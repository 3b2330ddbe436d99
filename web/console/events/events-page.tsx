import { Allowed } from "../api/allowed.tsx";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { TextField } from "../parts/fields.tsx";
import { counted } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { deliveryStatuses, type Event, recordIdOf } from "./event.ts";

const events: ListDescription<Event> = {
  name: "events",
  path: "/events",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/events/${id}`,
  filters: [
    { kind: "text", name: "event", label: "Event, such as transfer.completed" },
    { kind: "choice", name: "status", label: "Delivery", options: deliveryStatuses },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Event", cell: ({ event }) => <span className="font-medium">{event}</span> },
    { title: "Record", cell: (event) => <span className="font-mono text-xs">{recordIdOf(event) ?? "–"}</span> },
    { title: "When", cell: ({ created_at }) => <Moment at={created_at} /> },
    { title: "Id", onPhone: false, cell: ({ id }) => <span className="font-mono text-xs text-soft">{id}</span> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["event", ({ event }) => event],
    ["record", recordIdOf],
    ["created_at", ({ created_at }) => created_at],
  ],
  empty: {
    title: "No events yet",
    text: "Each outcome of a payout, bill or loan is an event, sent to your endpoints. Play one:",
    command: "npx jara trigger transfer.completed",
  },
};

export function EventsPage() {
  return (
    <>
      <PageHead title="Events" about="Events and their delivery to your endpoints.">
        <Allowed change="events">
          <ActionButton<{ events: number; deliveries: number }>
            label="Send again"
            about="Resends events of a period to the endpoints that did not accept them."
            fields={
              <>
                <TextField label="From" name="from" type="datetime-local" hint="Lagos time." required />
                <TextField label="To" name="to" type="datetime-local" required />
              </>
            }
            request={(form) => ({
              path: "/events/redeliver",
              body: { from: `${form("from")}:00+01:00`, to: `${form("to")}:00+01:00` },
            })}
            result={({ events, deliveries }) =>
              `On their way: ${counted(deliveries, "delivery", "deliveries")} of ${counted(events, "event")}.`
            }
          />
        </Allowed>
      </PageHead>
      <RecordList list={events} />
    </>
  );
}
