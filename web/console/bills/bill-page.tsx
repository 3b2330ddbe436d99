import type { Bill } from "@jara/sdk";
import { type Fact, Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView, useId } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
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
          <Panel title="Bill">
            <Facts facts={factsOf(bill)} />
          </Panel>
          <TracePanel id={bill.id} againMs={again(bill)} />
        </div>
      )}
    </RecordView>
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
    // The token opens a meter for whoever types it in: it is for the customer, not for this screen.
    ["Meter token", bill.token === null ? null : "Sent to the customer; read it with GET /bills/{id}"],
    ["Units", bill.units],
    ["Receipt", bill.receiptNumber],
    ["Why it failed", bill.failureReason?.message],
    ["Created", <Moment key="created" at={bill.createdAt} />],
    ["Ended", <Moment key="ended" at={bill.completedAt} />],
  ];
}
