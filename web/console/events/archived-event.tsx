import { Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Empty } from "../parts/states.tsx";

interface ArchivedEventProps {
  readonly id: string;
  readonly environmentId: string;
  /** Up to when events were archived. */
  readonly until: string | null;
}

/** Stands where an old event's page was. */
export function ArchivedEvent({ id, environmentId, until }: ArchivedEventProps) {
  return (
    <>
      <PageHead title="Archived event" about={<span className="font-mono text-xs break-all">{id}</span>} />
      <Panel title="Where it is">
        <Empty
          title="This event is in the archive"
          command={`jara archive read --environment ${environmentId} --id ${id}`}
        >
          <p>
            Old events are kept in files, with every try to deliver them. They are not lost, and they cannot be sent
            again.
            {until === null ? null : (
              <>
                {" "}
                Here you see events from after <Moment at={until} />.
              </>
            )}
          </p>
          <p className="mt-2">Whoever runs this server reads it with this line:</p>
        </Empty>
      </Panel>
    </>
  );
}
