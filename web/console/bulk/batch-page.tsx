import type { BulkTransfer, BulkTransferItem } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { csvOf, saveFile } from "../api/csv.ts";
import { useEnvironment } from "../api/place.ts";
import { Button } from "../parts/button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { counted, words } from "../parts/figures.ts";
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
                ["Done", `${endedCount(batch)} of ${batch.totalCount}`],
                ["Amount", <Money key="all" amount={batch.totalAmount} className="font-semibold" />],
                ["Fees", <Money key="fee" amount={batch.totalFee} />],
                ["Created", <Moment key="begun" at={batch.createdAt} />],
                ["Completed", <Moment key="ended" at={batch.completedAt} />],
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
      ["recipient", ({ accountName }) => accountName],
      ["account_number", ({ accountNumber }) => accountNumber],
      ["bank", ({ bankName, bankCode }) => bankName ?? bankCode],
      ["amount", ({ amount }) => amount],
      ["id", ({ id }) => id],
      ["code", ({ code }) => code],
      ["message", ({ message }) => message],
    ],
    transfers,
  );
}

const isLeftOut = ({ status }: BulkTransferItem) => status === "rejected";

function Items({ items }: { readonly items: readonly BulkTransferItem[] }) {
  const leftOut = items.filter(isLeftOut);
  return (
    <>
      <Panel title="Payouts">
        <ItemTable items={items.filter((item) => !isLeftOut(item))} />
      </Panel>
      {leftOut.length === 0 ? null : (
        <Panel title={`Left out: ${counted(leftOut.length, "row")}`}>
          <ItemTable items={leftOut} />
        </Panel>
      )}
    </>
  );
}

/** A table where there is room; on a phone each row stands as a card. */
function ItemTable({ items }: { readonly items: readonly BulkTransferItem[] }) {
  const head = "border-b border-line px-4 py-2 text-xs font-medium text-soft";
  return (
    <div className="max-h-[70vh] overflow-y-auto">
      <table className="w-full border-collapse text-left max-sm:block">
        <thead className="max-sm:sr-only">
          <tr>
            <th className={head}>Recipient</th>
            <th className={head}>Account</th>
            <th className={`${head} text-right`}>Amount</th>
            <th className={head}>Status</th>
            <th className={head}>Reason</th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {items.map((item) => (
            <ItemRow key={`${item.reference} ${item.id}`} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ItemRow({ item }: { readonly item: BulkTransferItem }) {
  const { at } = useEnvironment();
  const { reference, id, status, code, message, accountName, accountNumber, bankName, bankCode, amount } = item;
  const cell = "px-4 py-2 align-top max-sm:block max-sm:px-0 max-sm:py-0.5";
  return (
    <tr className="border-b border-line last:border-0 max-sm:block max-sm:px-4 max-sm:py-3">
      <td className={cell}>
        <span className="font-medium">{accountName ?? (id === null ? "No name" : "Name not known yet")}</span>
        <span className="block text-xs text-soft">
          {id === null ? (
            reference
          ) : (
            <Link to={at(`/transfers/${id}`)} className="text-brand underline underline-offset-4">
              {reference}
            </Link>
          )}
        </span>
      </td>
      <td className={cell}>
        <span className="tabular-nums">{accountNumber ?? "–"}</span>
        <span className="block text-xs text-soft">{bankName ?? bankCode}</span>
      </td>
      <td className={`${cell} sm:text-right`}>
        <Money amount={amount} />
      </td>
      <td className={cell}>
        <StatusChip status={code === "left_out" ? "left out" : status} />
      </td>
      <td className={`${cell} max-w-80 text-sm text-danger`}>{message}</td>
    </tr>
  );
}
