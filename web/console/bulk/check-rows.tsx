/** Every row with the name that its bank says, mistakes in place, totals, and the decision. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useEnvironment } from "../api/place.ts";
import { useAction, useRecord } from "../api/queries.ts";
import { PayFailure } from "../approvals/ask-approval.tsx";
import { Button } from "../parts/button.tsx";
import { Facts, Panel } from "../parts/facts.tsx";
import { naira } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { type BankAnswer, type BankAnswers, useBankNames } from "./bank-names.ts";
import { type PayoutRow, totalOf } from "./payout-file.ts";

interface CheckRowsProps {
  readonly rows: readonly PayoutRow[];
  readonly batch: string;
  readonly onBack: () => void;
}

export function CheckRows({ rows, batch, onBack }: CheckRowsProps) {
  const said = useNames(rows);
  const wallet = useRecord<{ available: number }>("/wallets/balance");
  const good = rows.filter((row) => {
    const answer = said.get(keyOf(row));
    return row.mistakes.length === 0 && answer !== undefined && "name" in answer;
  });
  const asked = rows.filter((row) => row.mistakes.length > 0 || said.has(keyOf(row))).length;
  const isChecked = asked === rows.length;
  const pay = usePay(good, said, batch);
  return (
    <div className="grid gap-4">
      <Panel title={isChecked ? "Everything was checked" : `Asking the banks: ${asked} of ${rows.length}`}>
        <progress className="mx-4 mt-4 w-[calc(100%-2rem)]" value={asked} max={rows.length} aria-label="Rows checked" />
        <Facts
          facts={[
            ["To be paid", `${good.length} of ${rows.length} rows`],
            ["In all, without fees", <Money key="sum" amount={totalOf(good)} className="font-semibold" />],
            ["In the wallet now", <Money key="now" amount={wallet.data?.available ?? null} />],
          ]}
        />
        {pay.isError ? <PayFailure error={pay.error} order={{ batch: pay.order }} /> : null}
        <div className="flex flex-wrap gap-2 p-4 pt-0">
          <Button onClick={onBack}>Another file</Button>
          <Button look="primary" disabled={!isChecked || good.length === 0 || pay.isPending} onClick={pay.go}>
            {pay.isPending ? "One moment" : `Pay ${naira(totalOf(good))} to ${good.length} of ${rows.length}`}
          </Button>
        </div>
      </Panel>
      <Panel title="Rows">
        <ul className="max-h-[60vh] overflow-y-auto">
          {rows.map((row) => (
            <Row key={row.line} row={row} answer={said.get(keyOf(row))} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Row({ row, answer }: { readonly row: PayoutRow; readonly answer: BankAnswer | undefined }) {
  const refusals = [...row.mistakes, ...(answer !== undefined && "refusal" in answer ? [answer.refusal] : [])];
  const name = answer !== undefined && "name" in answer ? answer.name : null;
  const status = refusals.length > 0 ? "rejected" : name === null ? "pending" : "verified";
  return (
    <li
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2
      last:border-0"
    >
      <span className="min-w-48 flex-1">
        {name ?? (refusals.length > 0 ? refusals.join(" ") : "Asking the bank")}
        <span className="block text-xs text-soft">
          {`Line ${row.line} · ${row.accountNumber} · bank ${row.bankCode} · ${row.reference}`}
        </span>
      </span>
      <StatusChip status={status} />
      <Money amount={Number.isNaN(row.amount) ? null : row.amount} />
    </li>
  );
}

const keyOf = ({ line }: PayoutRow) => String(line);

function useNames(rows: readonly PayoutRow[]): BankAnswers {
  const { said, ask } = useBankNames(keyOf);
  const begun = useRef(false);
  useEffect(() => {
    // React may run an effect twice; banks are asked once.
    if (begun.current) return;
    begun.current = true;
    ask(rows.filter(({ mistakes }) => mistakes.length === 0));
  }, [rows, ask]);
  return said;
}

function usePay(rows: readonly PayoutRow[], said: BankAnswers, batch: string) {
  const { at } = useEnvironment();
  const navigate = useNavigate();
  const action = useAction<{ batchId: string }>();
  const transfers = rows.map((row) => {
    const { accountNumber, bankCode, amount, reference, narration } = row;
    return {
      accountNumber,
      bankCode,
      amount,
      reference,
      ...(narration === "" ? {} : { narration }),
      ...nameOf(said.get(keyOf(row))),
    };
  });
  const order = { batchReference: batch, currency: "NGN", transfers };
  const go = () =>
    action.mutate(
      { path: "/transfers/bulk", key: batch, body: order },
      { onSuccess: ({ batchId }) => navigate({ to: at(`/bulk/${batchId}`) }) },
    );
  return { go, order, isPending: action.isPending, isError: action.isError, error: action.error };
}

/** What the bank said goes along: an account that has another holder by then is not paid. */
function nameOf(answer: BankAnswer | undefined): { readonly accountName?: string } {
  return answer !== undefined && "name" in answer ? { accountName: answer.name } : {};
}
