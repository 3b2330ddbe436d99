/** What your programs and people asked, newest first, with bodies in which secrets and personal data are masked. */
import type { LoggedRequest } from "@jara/sdk";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { ReplyStatus } from "./reply-status.tsx";

const requests: ListDescription<LoggedRequest> = {
  name: "requests",
  path: "/requests",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/requests/${id}`,
  filters: [
    { kind: "text", name: "path", label: "Path begins with" },
    { kind: "choice", name: "method", label: "Method", options: ["GET", "POST", "PUT", "PATCH", "DELETE"] },
    { kind: "choice", name: "status", label: "Reply", options: ["2xx", "4xx", "5xx"] },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    {
      title: "Request",
      cell: ({ method, path }) => (
        <span className="font-mono text-xs">
          <strong>{method}</strong> {path}
        </span>
      ),
    },
    { title: "Reply", cell: (request) => <ReplyStatus request={request} /> },
    { title: "Took", right: true, cell: ({ durationMs }) => `${durationMs} ms` },
    {
      title: "By",
      cell: ({ keyPrefix }) => (
        <span className="font-mono text-xs">{keyPrefix === null ? "a person" : `${keyPrefix}…`}</span>
      ),
    },
    { title: "When", cell: ({ at }) => <Moment at={at} /> },
  ],
  csv: [
    ["id", ({ id }) => id],
    ["at", ({ at }) => at],
    ["method", ({ method }) => method],
    ["path", ({ path }) => path],
    ["status", ({ status }) => status],
    ["code", ({ code }) => code],
    ["duration_ms", ({ durationMs }) => durationMs],
  ],
  empty: {
    title: "No requests yet",
    text: "Every request with a key of this environment is kept here for some days. The first one:",
    command: "npx jara wallets show",
  },
};

export function RequestsPage() {
  return (
    <>
      <PageHead title="Requests" about="API requests made with this environment's keys." />
      <RecordList list={requests} />
    </>
  );
}
