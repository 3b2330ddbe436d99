import type { Transfer } from "@jara/sdk";
import { useParams } from "@tanstack/react-router";
import { useRecord } from "../api/queries.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import { isUnderWay } from "./transfer.ts";

export function TransferPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRecord<Transfer>(`/transfers/${id}`, {
    again: (transfer) => (transfer !== undefined && isUnderWay(transfer) ? 2_000 : false),
  });
  if (query.isPending) return <Skeleton lines={10} />;
  if (query.isError) return <Failure error={query.error} retry={() => query.refetch()} />;
  const transfer = query.data;
  return (
    <div className="grid gap-4">
      <PageHead
        title={`${naira(transfer.amount)} to ${transfer.accountName ?? transfer.accountNumber}`}
        about={
          <span className="flex flex-wrap items-center gap-2">
            <StatusChip status={transfer.status} />
            <span className="break-all">{transfer.reference}</span>
          </span>
        }
      >
        <CopyButton text={transfer.id} label="Copy the id" />
      </PageHead>
      <WhyItFailed transfer={transfer} />
      <Panel title="Payout">
        <TransferFacts transfer={transfer} />
      </Panel>
      <TracePanel id={transfer.id} againMs={isUnderWay(transfer) ? 2_000 : false} />
    </div>
  );
}

function WhyItFailed({ transfer }: { readonly transfer: Transfer }) {
  if (transfer.failureReason === null) return null;
  const { code, message } = transfer.failureReason;
  return (
    <p role="note" className="rounded-lg bg-danger-tint p-4 text-danger">
      <strong>{message}</strong> <span className="font-mono text-xs">{code}</span>
      <br />
      <span className="text-ink">Amount and fees are back in the wallet. To pay again, use a new reference.</span>
    </p>
  );
}

function TransferFacts({ transfer }: { readonly transfer: Transfer }) {
  const facts: Fact[] = [
    ["To", transfer.accountName],
    ["Account", `${transfer.accountNumber} · ${transfer.bankName}`],
    ["Narration", transfer.narration],
    ["Amount", <Money key="amount" amount={transfer.amount} />],
    ["Fee, VAT, stamp duty", <Charges key="charges" transfer={transfer} />],
    ["Taken from the wallet", <Money key="total" amount={transfer.totalDebit} className="font-semibold" />],
    ["Created", <Moment key="created" at={transfer.createdAt} />],
    ["Ended", <Moment key="ended" at={transfer.completedAt} />],
    ["Session at the bank", transfer.sessionId],
    ["Batch", transfer.batchId],
    [
      "Id",
      <span key="id" className="font-mono text-xs">
        {transfer.id}
      </span>,
    ],
  ];
  return <Facts facts={facts} />;
}

function Charges({ transfer }: { readonly transfer: Transfer }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      <Money amount={transfer.fee} />
      <span aria-hidden="true">·</span>
      <Money amount={transfer.vat} />
      <span aria-hidden="true">·</span>
      <Money amount={transfer.stampDuty} />
    </span>
  );
}
