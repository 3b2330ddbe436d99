import { Allowed } from "../api/allowed.tsx";
import { useList } from "../api/queries.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Panel } from "../parts/facts.tsx";
import { AreaField } from "../parts/fields.tsx";
import { naira, words } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { MoreRows } from "../parts/more-rows.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

export interface Repayment {
  readonly id: string;
  readonly reference: string;
  readonly channel: string;
  readonly amount: number;
  readonly refunded: number;
  readonly status: string;
  readonly created_at: string;
  readonly reversal_reason: string | null;
}

interface RepaymentsPanelProps {
  /** Of the loan in the API: /loans/{id} or /loans/bnpl/loans/{id}. */
  readonly base: string;
  /** The API of checkout loans reverses none: a card's charge is taken back by the card network. */
  readonly canReverse?: boolean;
}

export function RepaymentsPanel({ base, canReverse = false }: RepaymentsPanelProps) {
  const query = useList<Repayment>(`${base}/repayments`);
  const repayments = query.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Panel title="Repayments">
      {query.isPending ? <Skeleton lines={3} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      {query.isSuccess && repayments.length === 0 ? (
        <p className="p-4 text-soft">No repayments yet. Repayments that you record or collect appear here.</p>
      ) : null}
      <ul>
        {repayments.map((repayment) => (
          <RepaymentRow key={repayment.id} base={base} repayment={repayment} canReverse={canReverse} />
        ))}
      </ul>
      <MoreRows query={query} />
    </Panel>
  );
}

interface RepaymentRowProps {
  readonly base: string;
  readonly repayment: Repayment;
  readonly canReverse: boolean;
}

function RepaymentRow({ base, repayment, canReverse }: RepaymentRowProps) {
  const { id, reference, channel, amount, refunded, status, created_at, reversal_reason } = repayment;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-2.5 last:border-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <Money amount={amount} className="font-medium" />
          <StatusChip status={status} />
          {refunded > 0 ? <span className="text-xs text-soft">{`${naira(refunded)} refunded`}</span> : null}
        </p>
        <p className="text-xs break-words text-soft">
          {words(channel)} · {reference} · <Moment at={created_at} />
          {reversal_reason === null ? "" : ` · ${reversal_reason}`}
        </p>
      </div>
      {canReverse && status === "successful" && refunded === 0 ? (
        <Allowed change="loans">
          <ActionButton
            label="Reverse"
            look="danger"
            about={`Reverses the repayment of ${naira(amount)}. What came from a wallet returns to it.`}
            fields={<AreaField label="Reason" name="reason" maxLength={500} required />}
            request={(form) => ({ path: `${base}/repayments/${id}/reverse`, body: { reason: form("reason") } })}
          />
        </Allowed>
      ) : null}
    </li>
  );
}
