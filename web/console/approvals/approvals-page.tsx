import { useEnvironment } from "../api/place.ts";
import type { ListDescription } from "../list/description.ts";
import { RecordList } from "../list/record-list.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { naira, typedNaira } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { RecordView } from "../parts/record-view.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import type { Approval, Limit } from "./approval.ts";

const approvals: ListDescription<Approval> = {
  name: "approvals",
  path: "/approvals",
  rowKey: ({ id }) => id,
  rowPath: ({ id }) => `/approvals/${id}`,
  filters: [{ kind: "choice", name: "waiting", label: "Waiting only", options: ["true"] }],
  columns: [
    { title: "Reference", cell: ({ reference }) => <span className="font-medium">{reference}</span> },
    { title: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
    { title: "Payouts", right: true, cell: ({ payoutCount }) => payoutCount.toLocaleString("en-NG") },
    { title: "Status", cell: ({ status }) => <StatusChip status={status} /> },
    { title: "Asked by", cell: ({ requestedBy, isOwn }) => (isOwn ? "You" : requestedBy) },
    { title: "Decided by", cell: ({ decidedBy }) => decidedBy ?? <span className="text-soft">–</span> },
    { title: "Asked", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ],
  empty: {
    title: "No approvals yet",
    text: "An owner sets how much one person may pay alone within 24 hours. Payouts above the limit appear here, and a second person approves or rejects them.",
  },
};

export function ApprovalsPage() {
  return (
    <div className="grid gap-4">
      <PageHead title="Approvals" about="Console payouts that need a second person's approval." />
      <RecordView<Limit> path="/approval-limits">{(limit) => <LimitPanel limit={limit} />}</RecordView>
      <RecordList list={approvals} />
    </div>
  );
}

export function LimitPanel({ limit }: { readonly limit: Limit }) {
  const { place } = useEnvironment();
  return (
    <Panel
      title="What one person may pay alone"
      aside={place.merchant.role === "owner" ? <SetLimit limit={limit} /> : null}
    >
      <div className="grid gap-1 p-4">
        <p>{limitText(limit)}</p>
        {limit.setBy === null || limit.setAt === null ? null : (
          <p className="text-xs text-soft">
            Set by {limit.setBy}, <Moment at={limit.setAt} />
          </p>
        )}
      </div>
    </Panel>
  );
}

export function limitText({ amount, spent }: Pick<Limit, "amount" | "spent">): string {
  if (amount === null) return "There is no limit: whoever may pay, pays alone.";
  const rule = amount === 0 ? "Every payment needs a second person." : `At most ${naira(amount)} within 24 hours.`;
  return `${rule} You have paid ${naira(spent)} of it. Programs with keys are not limited.`;
}

/** JSON has no NaN: what is not an amount would go as null, which takes the limit away. As text it is refused. */
function limitOf(typed: string): number | string | null {
  if (typed === "") return null;
  const amount = typedNaira(typed);
  return Number.isNaN(amount) ? typed : amount;
}

function SetLimit({ limit: { amount } }: { readonly limit: Limit }) {
  return (
    <ActionButton<Limit>
      label="Change the limit"
      about="A person's payouts, bills, repayments and refunds count together. What waits already is not touched."
      fields={
        <TextField
          label="Limit in naira"
          name="amount"
          inputMode="decimal"
          defaultValue={amount ?? ""}
          hint="Empty: no limit. 0: nobody pays alone."
        />
      }
      request={(form) => ({
        path: "/approval-limits",
        method: "PUT",
        body: { amount: limitOf(form("amount")) },
      })}
    />
  );
}
