/** Money over time and payouts by bank: the pictures of Home, all from one question to the server. */
import type { BankHealth, Overview, PayoutFigures } from "@jara/sdk";
import { useState } from "react";
import { useRecord } from "../api/queries.ts";
import { TimeChart } from "../charts/time-chart.tsx";
import { Panel } from "../parts/facts.tsx";
import { span } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { Failure, Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { balancesOf } from "./overview.ts";
import { successText } from "./success-text.ts";

const periods = { hour: "The last 24 hours", day: "The last weeks" } as const;

export function MoneyPanels() {
  const [by, setBy] = useState<keyof typeof periods>("day");
  const query = useRecord<Overview>("/overview", { params: { by }, again: () => 30_000 });
  const choice = (
    <select
      aria-label="Period"
      className="field min-h-8 w-auto py-0.5"
      value={by}
      onChange={({ target }) => setBy(target.value === "hour" ? "hour" : "day")}
    >
      <option value="hour">{periods.hour}</option>
      <option value="day">{periods.day}</option>
    </select>
  );
  const { data } = query;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Panel title="Money in and out" aside={choice}>
        {query.isPending ? <Skeleton lines={5} /> : null}
        {query.isError ? <Failure error={query.error} retry={() => query.refetch()} /> : null}
        {data === undefined ? null : <Flows overview={data} />}
      </Panel>
      <Panel title="Balance">
        {query.isPending ? <Skeleton lines={5} /> : null}
        {data === undefined ? <NotRead query={query} /> : <Balances overview={data} />}
      </Panel>
      <div className="min-w-0 lg:col-span-2">
        <Panel title="Payouts by bank">
          {query.isPending ? <Skeleton lines={4} /> : null}
          {data === undefined ? <NotRead query={query} /> : <BankTable banks={data.payouts?.byBank ?? []} />}
        </Panel>
      </div>
    </div>
  );
}

/** Why is told once, beside the first picture. */
function NotRead({ query }: { readonly query: { readonly isError: boolean } }) {
  return query.isError ? <p className="p-4 text-soft">These figures could not be read.</p> : null;
}

function Flows({ overview: { wallet, by } }: { readonly overview: Overview }) {
  if (wallet === undefined) return null;
  const { steps } = wallet;
  return (
    <TimeChart
      about={`Of the main wallet, ${by === "day" ? "each day" : "each hour"}: in above the line, out below it.`}
      kind="bars"
      by={by}
      moments={steps.map(({ at }) => at)}
      series={[
        { label: "In", colour: "brand", values: steps.map(({ moneyIn }) => moneyIn) },
        { label: "Out", colour: "info", values: steps.map(({ moneyOut }) => moneyOut) },
      ]}
    />
  );
}

function Balances({ overview: { wallet, by } }: { readonly overview: Overview }) {
  if (wallet === undefined) return null;
  return (
    <TimeChart
      about={`Available at the end of ${by === "day" ? "each day" : "each hour"}.`}
      kind="line"
      by={by}
      moments={wallet.steps.map(({ at }) => at)}
      series={[{ label: "Available", colour: "brand", values: balancesOf(wallet) }]}
    />
  );
}

function BankTable({ banks }: { readonly banks: PayoutFigures["byBank"] }) {
  const health = useRecord<BankHealth[]>("/transfers/bank/health");
  const stateOf = new Map(health.data?.map(({ bankCode, status }) => [bankCode, status]));
  const ill = (health.data ?? []).filter(({ status }) => status !== "up");
  const absent = ill.filter(({ bankCode }) => banks.every((bank) => bank.bankCode !== bankCode));
  return (
    <>
      {absent.length === 0 ? null : (
        <p className="px-4 pt-4 text-warning">
          {`Not well now: ${absent.map(({ bankName }) => bankName).join(", ")}.`}
        </p>
      )}
      {banks.length === 0 ? <p className="p-4 text-soft">No payout in this period.</p> : null}
      {banks.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section className="max-h-80 overflow-auto" tabIndex={0} aria-label="Payouts by bank">
          <table className="w-full text-left">
            <thead className="text-xs text-soft">
              <tr>
                {["Bank", "Got through"].map((title) => (
                  <th key={title} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                    {title}
                  </th>
                ))}
                {["Payouts", "Amount", "Usual time"].map((title) => (
                  <th key={title} scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
                    {title}
                  </th>
                ))}
                <th scope="col" className="px-4 py-2 font-medium">
                  Now
                </th>
              </tr>
            </thead>
            <tbody>
              {banks.map((bank) => (
                <BankRow key={bank.bankCode} bank={bank} status={stateOf.get(bank.bankCode)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

interface BankRowProps {
  readonly bank: PayoutFigures["byBank"][number];
  readonly status: string | undefined;
}

function BankRow({ bank, status }: BankRowProps) {
  const { bankName, successRate, count, amount, medianSeconds } = bank;
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-4 py-2 font-normal">
        {bankName}
      </th>
      <td className="px-4 py-2">
        <span className="flex items-center gap-2">
          <span className="w-12 shrink-0 text-right">{successText({ successRate })}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-24 rounded-sm" aria-hidden="true">
            <rect width="100" height="8" className="fill-sunken" />
            <rect width={(successRate ?? 0) * 100} height="8" className="fill-brand" />
          </svg>
        </span>
      </td>
      <td className="px-4 py-2 text-right">{count.toLocaleString("en-NG")}</td>
      <td className="px-4 py-2 text-right">
        <Money amount={amount} />
      </td>
      <td className="px-4 py-2 text-right whitespace-nowrap">
        {medianSeconds === null ? "–" : span(medianSeconds * 1_000)}
      </td>
      <td className="px-4 py-2">{status === undefined ? null : <StatusChip status={status} />}</td>
    </tr>
  );
}
