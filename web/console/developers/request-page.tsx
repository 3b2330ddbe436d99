import type { LoggedRequest } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { useEnvironment } from "../api/place.ts";
import { JsonBlock } from "../parts/code-block.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { ReplyStatus } from "./reply-status.tsx";
import { readBody } from "./request.ts";

export function RequestPage() {
  const id = useId();
  return (
    <RecordView<LoggedRequest> path={`/requests/${id}`}>
      {(request) => (
        <div className="grid gap-4">
          <PageHead title={`${request.method} ${request.path}`} about={<ReplyStatus request={request} />}>
            <Trace id={request.recordId} />
          </PageHead>
          <Panel title="Request">
            <Facts
              facts={[
                [
                  "Id",
                  <span key="id" className="font-mono text-xs break-all">
                    {request.id}
                  </span>,
                ],
                ["When", <Moment key="at" at={request.at} />],
                ["Took", `${request.durationMs} ms`],
                ["By", request.keyPrefix === null ? "a person" : `the key ${request.keyPrefix}…`],
                ["Idempotency-Key", request.idempotencyKey],
                ["Program", request.userAgent],
                ["Warning", request.warning],
                ["Sent again", request.replayed ? "Yes: an earlier reply was returned" : "No"],
              ]}
            />
          </Panel>
          <Body title="What was sent" body={request.requestBody} />
          <Body title="What was returned" body={request.responseBody} />
        </div>
      )}
    </RecordView>
  );
}

function Trace({ id }: { readonly id: string | null }) {
  const { at } = useEnvironment();
  if (id === null) return null;
  return (
    <Link to={at(`/trace/${id}`)} className="text-brand underline underline-offset-4">
      Where its money is
    </Link>
  );
}

function Body({ title, body }: { readonly title: string; readonly body: string | null }) {
  return (
    <Panel title={title}>
      {body === null ? (
        <p className="p-4 text-soft">Nothing, or it was not kept: bodies are kept in sandboxes only, for some days.</p>
      ) : (
        <JsonBlock value={readBody(body)} label={title.toLowerCase()} />
      )}
    </Panel>
  );
}
