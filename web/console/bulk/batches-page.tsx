import type { BulkTransferSummary } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

const batches: ListDescription<BulkTransferSummary> = {
  name: "bulk-payouts",
  path: "/transfers/bulk",
  rowKey: ({ batchId }) => batchId,
  rowPath: ({ batchId }) => `/bulk/${batchId}`,
  filters: [
    { kind: "text", name: "reference", label: "Reference" },
    { kind: "choices", name: "status", label: "Status", options: ["processing", "completed"] },
    { kind: "day", name: "from", label: "From" },
    { kind: "day", name: "to", label: "To" },
  ],
  columns: [
    { title: "Reference", cell: ({ batchReference }) => <span className="font-medium">{batchReference}</span> },
    { title: "Amount", right: true, cell: ({ totalAmount }) => <Money amount={totalAmount} /> },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    { title: "Payouts", right: true, cell: ({ acceptedCount }) => acceptedCount.toLocaleString("en-NG") },
    { title: "In progress", right: true, cell: ({ openCount }) => openCount.toLocaleString("en-NG") },
    { title: "Left out", right: true, cell: ({ rejectedCount }) => rejectedCount.toLocaleString("en-NG") },
    { title: "Created", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  csv: [
    ["id", ({ batchId }) => batchId],
    ["reference", ({ batchReference }) => batchReference],
    ["status", ({ status }) => status],
    ["payouts", ({ acceptedCount }) => acceptedCount],
    ["left_out", ({ rejectedCount }) => rejectedCount],
    ["amount", ({ totalAmount }) => totalAmount],
    ["fees", ({ totalFee }) => totalFee],
    ["created_at", ({ createdAt }) => createdAt],
    ["completed_at", ({ completedAt }) => completedAt],
  ],
  empty: {
    title: "No bulk payouts yet",
    text: "Files that you pay appear here. Upload a CSV or Excel file to pay many people at once.",
  },
};

export function BatchesPage() {
  const { at } = useEnvironment();
  return (
    <>
      <PageHead title="Bulk payouts" about="Files of payouts, newest first.">
        <Allowed change="transfers">
          <Link
            to={at("/bulk/new")}
            className="inline-flex min-h-9 items-center rounded-lg bg-brand px-3 py-1 text-sm font-medium text-on-brand
              hover:bg-brand-strong"
          >
            Upload a file
          </Link>
        </Allowed>
      </PageHead>
      <RecordList list={batches} />
    </>
  );
}
