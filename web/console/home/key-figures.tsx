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
    <div className="card grid grid-cols-2 gap-px overflow-hidden bg-line xl:grid-cols-4">
      {wallet === undefined ? null : (
        <>
          <KeyFigure
            name="Available balance"
            value={<Money amount={wallet.available} />}
            more={`${naira(wallet.held)} on hold`}
            to="/wallets"
          />
          <KeyFigure
            name="Money out today"
            value={<Money amount={today?.moneyOut ?? 0} />}
            more={`${naira(yesterday?.moneyOut ?? 0)} yesterday`}
            to="/transfers"
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
}

function KeyFigure({ name, value, more, to, search = {} }: KeyFigureProps) {
  const { at } = useEnvironment();
  return (
    <section aria-label={name} className="min-w-0 bg-paper">
      <Link to={at(to)} search={search} className="block h-full p-4 hover:bg-hover">
        <h2 className="text-xs font-medium text-soft">{name}</h2>
        <p className="mt-1 truncate text-lg font-semibold tracking-tight tabular-nums sm:text-2xl">{value}</p>
        <p className="text-xs text-soft">{more}</p>
      </Link>
    </section>
  );
}
