/** Four figures that answer the first questions of a day. */
import type { Overview } from "@jara/sdk";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEnvironment } from "../api/place.ts";
import { counted, naira } from "../parts/figures.ts";
import { Money } from "../parts/money.tsx";
import { pendingOf } from "./overview.ts";
import { successText } from "./success-text.ts";

interface KeyFiguresProps {
  /** Of the last thirty days. */
  readonly overview: Overview;
  readonly before: Overview | undefined;
}

export function KeyFigures({ overview: { wallet, payouts }, before }: KeyFiguresProps) {
  const pending = pendingOf(payouts);
  const [yesterday, today] = wallet?.steps.slice(-2) ?? [];
  const successBefore = before?.payouts?.successRate ?? null;
  return (
    <div className="grid grid-cols-1 gap-px overflow-hidden card bg-line sm:grid-cols-2 xl:grid-cols-4">
      {wallet === undefined ? null : (
        <>
          <KeyFigure
            name="Available balance"
            value={<Money amount={wallet.available} />}
            more={`${naira(wallet.held)} on hold`}
            to="/wallets"
            way="Statement"
          />
          <KeyFigure
            name="Money out today"
            value={<Money amount={today?.moneyOut ?? 0} />}
            more={`${naira(yesterday?.moneyOut ?? 0)} yesterday`}
            to="/transfers"
            way="Transfers"
          />
        </>
      )}
      {payouts === undefined ? null : (
        <>
          <KeyFigure
            name="Pending payouts"
            value={pending.count.toLocaleString("en-NG")}
            more={pending.count === 0 ? "Every payout has an outcome" : naira(pending.amount)}
            to="/transfers"
            search={{ status: "pending,processing" }}
            way="Pending"
          />
          <KeyFigure
            name="Payout success, 30 days"
            value={<span className="whitespace-nowrap">{successText(payouts)}</span>}
            more={
              successBefore === null
                ? counted(payouts.count, "payout")
                : `${successText({ successRate: successBefore })} in the 30 days before`
            }
            to="/transfers"
            search={{ status: "failed" }}
            way="Failed"
          />
        </>
      )}
    </div>
  );
}

interface KeyFigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly more: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly way: string;
}

function KeyFigure({ name, value, more, to, search = {}, way }: KeyFigureProps) {
  const { at } = useEnvironment();
  return (
    <section aria-label={name} className="min-w-0 bg-paper p-4">
      <div className="flex items-baseline justify-between gap-2">
        <h2 className="text-xs font-medium text-soft">{name}</h2>
        <Link to={at(to)} search={search} className="text-xs text-brand underline underline-offset-4">
          {way}
        </Link>
      </div>
      <p className="mt-1 truncate text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
      <p className="truncate text-xs text-soft">{more}</p>
    </section>
  );
}
