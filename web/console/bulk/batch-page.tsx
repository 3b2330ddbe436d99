import type { BulkTransfer, BulkTransferItem } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { csvOf, saveFile } from "../api/csv.ts";
import { useEnvironment } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

/** A batch while its payouts find their ends, and the file of what became of each. */
export function BatchPage() {
  const id = useId();
  return (
    <RecordView<BulkTransfer>
      path={`/transfers/bulk/${id}`}
      again={(batch) => (batch?.status === "processing" ? 1_500 : false)}
    >
      {(batch) => (
        <div className="grid gap-4">
          <PageHead title={`Batch ${batch.batchReference}`} about={<StatusChip status={batch.status} />}>
            <Button onClick={() => saveFile(`${batch.batchReference}.csv`, resultFile(batch))}>
              <Download aria-hidden="true" className="size-4" />
              Result file
            </Button>
          </PageHead>
          <Panel title="Progress">
            <progress
              className="mx-4 mt-4 w-[calc(100%-2rem)]"
              value={endedCount(batch)}
              max={batch.totalCount}
              aria-label="Payouts with an outcome"
            />
            <Facts
              facts={[
                ["With an outcome", `${endedCount(batch)} of ${batch.totalCount}`],
                ["In all", <Money key="all" amount={batch.totalAmount} className="font-semibold" />],
                ["Fees held", <Money key="fee" amount={batch.totalFee} />],
                ["Begun", <Moment key="begun" at={batch.createdAt} />],
                ["Ended", <Moment key="ended" at={batch.completedAt} />],
                [
                  "States",
                  Object.entries(batch.counts)
                    .filter(([, count]) => count > 0)
                    .map(told)
                    .join(", "),
                ],
              ]}
            />
          </Panel>
          <Items items={batch.transfers} />
        </div>
      )}
    </RecordView>
  );
}

const told = ([state, count]: [string, number]) => `${count} ${words(state).toLowerCase()}`;

export function endedCount({ counts, totalCount }: Pick<BulkTransfer, "counts" | "totalCount">): number {
  return totalCount - counts.pending - counts.processing;
}

function resultFile({ transfers }: BulkTransfer): string {
  return csvOf<BulkTransferItem>(
    [
      ["reference", ({ reference }) => reference],
      ["status", ({ status }) => status],
      ["id", ({ id }) => id],
      ["code", ({ code }) => code],
      ["message", ({ message }) => message],
    ],
    transfers,
  );
}

function Items({ items }: { readonly items: readonly BulkTransferItem[] }) {
  const { at } = useEnvironment();
  return (
    <Panel title="Payouts">
      <ul className="max-h-[60vh] overflow-y-auto">
        {items.map(({ reference, id, status, message }) => (
          <li
            key={reference}
            className="flex flex-wrap justify-between gap-3 border-b border-line px-4 py-2 last:border-0"
          >
            <span className="min-w-0">
              {id === null ? (
                reference
              ) : (
                <Link to={at(`/transfers/${id}`)} className="text-brand underline underline-offset-4">
                  {reference}
                </Link>
              )}
              {message === null ? null : <span className="block text-xs text-danger">{message}</span>}
            </span>
            <StatusChip status={status} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
