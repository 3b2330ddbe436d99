import type { Transfer } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import { ReceiptText } from "lucide-react";
import { Allowed } from "../api/allowed.tsx";
import { useEnvironment } from "../api/place.ts";
import { buttonClass } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { Simulate } from "../sandbox/simulate.tsx";
import { TracePanel } from "../trace/trace-panel.tsx";
import { MakePayout } from "./make-payout.tsx";
import { isUnderWay } from "./transfer.ts";

export function TransferPage() {
  const again = (transfer: Transfer | undefined) => (transfer !== undefined && isUnderWay(transfer) ? 2_000 : false);
  return (
    <RecordView<Transfer> path={`/transfers/${useId()}`} again={again}>
      {(transfer) => (
        <div className="grid gap-4">
          <PageHead
            title={`${naira(transfer.amount)} to ${transfer.accountName ?? transfer.accountNumber}`}
            about={
              <span className="flex flex-wrap items-center gap-2">
                <StatusChip status={transfer.status} />
                <span className="break-all">{transfer.reference}</span>
                <CopyButton text={transfer.id} label="Copy the id" bare />
              </span>
            }
          >
            <Actions transfer={transfer} />
          </PageHead>
          <Simulate path={`/sandbox/transfers/${transfer.id}`} steps={stepsOf(transfer)} />
          <WhyItFailed transfer={transfer} />
          <Panel title="Payout">
            <TransferFacts transfer={transfer} />
          </Panel>
          <TracePanel id={transfer.id} againMs={again(transfer)} />
        </div>
      )}
    </RecordView>
  );
}

function Actions({ transfer }: { readonly transfer: Transfer }) {
  const { at } = useEnvironment();
  const { bankCode, accountNumber, amount, narration } = transfer;
  return (
    <>
      {transfer.status === "completed" ? (
        <Link to={at(`/transfers/${transfer.id}/receipt`)} className={buttonClass()}>
          <ReceiptText aria-hidden="true" className="size-4" />
          Download receipt
        </Link>
      ) : null}
      <Allowed change="transfers">
        <MakePayout
          label="Pay again"
          order={{ bankCode, accountNumber, amount: String(amount), narration: narration ?? "" }}
        />
      </Allowed>
    </>
  );
}

/** What the sandbox's bank can still do with it. */
function stepsOf({ status }: Transfer) {
  const complete = { label: "Complete", word: "complete", about: "The sandbox's bank pays the payout." };
  const fail = {
    label: "Fail",
    word: "fail",
    about: "The sandbox's bank refuses the payout. Amount and fees return to the wallet.",
    danger: true,
  } as const;
  const reverse = {
    label: "Reverse",
    word: "reverse",
    about: "The sandbox's bank returns the completed payout. Amount and fees return to the wallet.",
    danger: true,
  } as const;
  if (status === "processing") return [complete, fail];
  if (status === "pending") return [fail];
  return status === "completed" ? [reverse] : [];
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
