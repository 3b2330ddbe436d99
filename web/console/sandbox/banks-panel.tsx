import type { BankHealth } from "@jara/sdk";
import { useMemo, useState } from "react";
import { Allowed } from "../api/allowed.tsx";
import { useAction, useRecord } from "../api/queries.ts";
import { Panel } from "../parts/facts.tsx";
import { TextField } from "../parts/fields.tsx";
import { words } from "../parts/figures.ts";
import { Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";

const states = ["up", "degraded", "down"] as const;

/** Banks that are not well come first, then those that were used. */
export function inOrder(banks: readonly BankHealth[], text: string): BankHealth[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ status, sampleSize }: BankHealth) => (status === "up" ? (sampleSize > 0 ? 1 : 2) : 0);
  return banks
    .filter(({ bankName, bankCode }) => bankName.toLowerCase().includes(wanted) || bankCode.startsWith(wanted))
    .toSorted((one, other) => rank(one) - rank(other) || one.bankName.localeCompare(other.bankName));
}

export function BanksPanel() {
  const query = useRecord<BankHealth[]>("/transfers/bank/health");
  const [text, setText] = useState("");
  const banks = useMemo(() => inOrder(query.data ?? [], text), [query.data, text]);
  return (
    <Panel title="Banks">
      <div className="max-w-xs p-4">
        <TextField label="Find a bank" value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {query.isPending ? <Skeleton lines={4} /> : null}
      {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
      <ul className="max-h-72 overflow-y-auto">
        {banks.map((bank) => (
          <BankRow key={bank.bankCode} bank={bank} />
        ))}
      </ul>
    </Panel>
  );
}

function BankRow({ bank }: { readonly bank: BankHealth }) {
  const action = useAction();
  const { bankCode: code, bankName, status } = bank;
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-1.5">
      <span className="min-w-40 flex-1">
        {bankName} <span className="text-xs text-soft">{code}</span>
      </span>
      <StatusChip status={status} />
      <Allowed change="sandbox">
        <select
          className="field max-w-36"
          aria-label={`How ${bankName} is`}
          value={status}
          disabled={action.isPending}
          onChange={(event) =>
            action.mutate({
              path: `/sandbox/banks/${code}/health`,
              method: "PUT",
              body: { status: event.target.value },
            })
          }
        >
          {states.map((state) => (
            <option key={state} value={state}>
              {words(state)}
            </option>
          ))}
        </select>
      </Allowed>
      {action.isError ? (
        <div className="w-full">
          <Failure error={action.error} />
        </div>
      ) : null}
    </li>
  );
}
