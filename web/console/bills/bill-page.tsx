import type { Bill } from "@jara/sdk";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Allowed } from "../api/allowed.tsx";
import { Button } from "../parts/button.tsx";
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
import { isUnderWay } from "../transfers/transfer.ts";

export function BillPage() {
  const id = useId();
  const again = (bill: Bill | undefined) => (bill !== undefined && isUnderWay(bill) ? 2_000 : false);
  return (
    <RecordView<Bill> path={`/bills/${id}`} again={again}>
      {(bill) => (
        <div className="grid gap-4">
          <PageHead
            title={`${naira(bill.amount)} of ${bill.product.name}`}
            about={
              <span className="flex flex-wrap items-center gap-2">
                <StatusChip status={bill.status} />
                <span className="break-all">{bill.reference}</span>
              </span>
            }
          />
          <Simulate path={`/sandbox/bills/${bill.id}`} steps={stepsOf(bill)} />
          <WhyItFailed bill={bill} />
          <Panel title="Bill">
            <Facts facts={factsOf(bill)} />
          </Panel>
          <TracePanel id={bill.id} againMs={again(bill)} />
        </div>
      )}
    </RecordView>
  );
}

/** What the sandbox's biller can still do with it. */
function stepsOf({ status }: Bill) {
  if (isUnderWay({ status })) {
    return [
      { label: "Complete", word: "complete", about: "The sandbox's biller delivers the bill." },
      {
        label: "Fail",
        word: "fail",
        about: "The sandbox's biller refuses the bill. Amount and fee return to the wallet.",
        danger: true,
      },
    ] as const;
  }
  if (status !== "successful") return [];
  const about =
    "The sandbox's biller takes the delivery back. Amount and fee return to the wallet, the commission goes.";
  return [{ label: "Reverse", word: "reverse", about, danger: true }] as const;
}

function WhyItFailed({ bill: { failureReason } }: { readonly bill: Bill }) {
  if (failureReason === null) return null;
  return (
    <p role="note" className="rounded-lg bg-danger-tint p-4 text-danger">
      <strong>{failureReason.message}</strong> <span className="font-mono text-xs">{failureReason.code}</span>
    </p>
  );
}

/** The token loads the meter of anyone who types it in, so it is shown to those who may sell bills, when they ask. */
function MeterToken({ token }: { readonly token: string }) {
  const [isShown, setShown] = useState(false);
  const Sign = isShown ? EyeOff : Eye;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-mono break-all">{isShown ? token : "••••"}</span>
      <Allowed change="bills">
        {isShown ? <CopyButton text={token} label="Copy the token" bare /> : null}
        <Button look="quiet" className="min-h-7 px-1.5" onClick={() => setShown(!isShown)}>
          <Sign aria-hidden="true" className="size-4" />
          {isShown ? "Hide token" : "Reveal token"}
        </Button>
      </Allowed>
    </span>
  );
}

function factsOf(bill: Bill): Fact[] {
  return [
    ["For", bill.customer.name ?? bill.customer.identifier],
    ["Number", bill.customer.identifier],
    ["Provider", bill.provider],
    ["Amount", <Money key="amount" amount={bill.amount} />],
    ["Fee", <Money key="fee" amount={bill.fee} />],
    ["You earn", <Money key="earned" amount={bill.commission} />],
    ["Taken from the wallet", <Money key="total" amount={bill.totalDebited} className="font-semibold" />],
    ["Meter token", bill.token === null ? null : <MeterToken key="token" token={bill.token} />],
    ["Units", bill.units],
    ["Receipt", bill.receiptNumber],
    ["Created", <Moment key="created" at={bill.createdAt} />],
    ["Ended", <Moment key="ended" at={bill.completedAt} />],
  ];
}
