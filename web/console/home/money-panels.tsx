/** Money over time and payouts by bank, all from one reading of the overview. */
import type { BankHealth, Overview, PayoutFigures } from "@jara/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRecord } from "../api/queries.ts";
import { TimeChart } from "../charts/time-chart.tsx";
import { Panel } from "../parts/facts.tsx";
import { span } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { Skeleton } from "../parts/states.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { balancesOf, changeOf } from "./overview.ts";
import { successText } from "./success-text.ts";

interface MoneyPanelsProps {
  readonly query: Pick<UseQueryResult<Overview>, "data" | "isPending" | "isError">;
  /** The same span of time just before. */
  readonly before: Overview | undefined;
}

export function MoneyPanels({ query: { data, isPending, isError }, before }: MoneyPanelsProps) {
  const notYet = isPending ? <Skeleton lines={5} /> : null;
  const unread = isError ? <p className="p-4 text-soft">These figures could not be read.</p> : null;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Panel title="Money in and out">
        {notYet}
        {data === undefined ? unread : <Flows overview={data} before={before} />}
      </Panel>
      <Panel title="Balance">
        {notYet}
        {data === undefined ? unread : <Balances overview={data} />}
      </Panel>
      <div className="min-w-0 lg:col-span-2">
        <Panel title="Payouts by bank">
          {notYet}
          {data === undefined ? unread : <BankTable banks={data.payouts?.byBank ?? []} />}
        </Panel>
      </div>
    </div>
  );
}

function Flows({
  overview: { wallet, by },
  before,
}: {
  readonly overview: Overview;
  readonly before: Overview | undefined;
}) {
  if (wallet === undefined) return null;
  const { steps, moneyIn, moneyOut } = wallet;
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 px-4 pt-4">
        <Total name="In" amount={moneyIn} before={before?.wallet?.moneyIn} by={by} />
        <Total name="Out" amount={moneyOut} before={before?.wallet?.moneyOut} by={by} />
      </dl>
      <TimeChart
        about={`${by === "day" ? "Daily" : "Hourly"} credits and debits of the main wallet`}
        kind="bars"
        by={by}
        moments={steps.map(({ at }) => at)}
        series={[
          { label: "In", colour: "brand", values: steps.map((step) => step.moneyIn) },
          { label: "Out", colour: "info", values: steps.map((step) => step.moneyOut) },
        ]}
      />
    </>
  );
}

interface TotalProps {
  readonly name: string;
  readonly amount: number;
  readonly before: number | undefined;
  readonly by: Overview["by"];
}

function Total({ name, amount, before, by }: TotalProps) {
  const change = changeOf(amount, before);
  return (
    <div className="min-w-0">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="truncate text-lg font-semibold">
        <Money amount={amount} />
      </dd>
      {change === undefined ? null : (
        <dd className="text-xs text-soft">{`${change} the ${by === "day" ? "30 days" : "24 hours"} before`}</dd>
      )}
    </div>
  );
}

function Balances({ overview: { wallet, by } }: { readonly overview: Overview }) {
  if (wallet === undefined) return null;
  const balances = balancesOf(wallet);
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 px-4 pt-4">
        <Total name="Now" amount={wallet.available} before={undefined} by={by} />
        <Total name="Lowest in this period" amount={Math.min(...balances)} before={undefined} by={by} />
      </dl>
      <TimeChart
        about={`Available balance at the end of each ${by}`}
        kind="line"
        by={by}
        moments={wallet.steps.map(({ at }) => at)}
        series={[{ label: "Available", colour: "brand", values: balances }]}
      />
    </>
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
          {`Degraded or down now: ${absent.map(({ bankName }) => bankName).join(", ")}.`}
        </p>
      )}
      {banks.length === 0 ? <p className="p-4 text-soft">No payouts in this period.</p> : null}
      {banks.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        <section className="max-h-80 overflow-auto" tabIndex={0} aria-label="Payouts by bank">
          <table className="w-full text-left">
            <thead className="text-xs text-soft">
              <tr>
                {["Bank", "Success rate"].map((title) => (
                  <th key={title} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
                    {title}
                  </th>
                ))}
                {["Payouts", "Amount", "Median time"].map((title) => (
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
          <span className="w-14 shrink-0 text-right whitespace-nowrap">{successText({ successRate })}</span>
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
        {medianSeconds === null ? "–" : medianSeconds < 1 ? "under 1 s" : span(medianSeconds * 1_000)}
      </td>
      <td className="px-4 py-2">{status === undefined ? null : <StatusChip status={status} />}</td>
    </tr>
  );
}
