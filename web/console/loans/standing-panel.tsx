/** Where a loan stands, first of all: what is overdue, what is due next, what is left. */
import type { ReactNode } from "react";
import { counted } from "../parts/figures.ts";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { type Installment, nextDueOf, overdueOf } from "./loan.ts";

interface StandingPanelProps {
  readonly schedule: readonly Installment[];
  readonly balance: number;
  readonly credit: number;
}

export function StandingPanel({ schedule, balance, credit }: StandingPanelProps) {
  const overdue = overdueOf(schedule);
  const next = nextDueOf(schedule);
  return (
    <section aria-label="Where the loan stands" className="card grid overflow-hidden sm:grid-cols-3">
      <Figure
        name="Overdue"
        amount={overdue.sum}
        tone={overdue.count > 0 ? "bg-danger-tint text-danger" : ""}
        note={
          overdue.since === null ? (
            "Nothing is overdue"
          ) : (
            <>
              {counted(overdue.count, "instalment")}, since <Moment at={overdue.since} dayOnly />
            </>
          )
        }
      />
      <Figure
        name="Next due"
        amount={next?.balance ?? null}
        note={next === undefined ? "Nothing is due any more" : <Moment at={next.due_date} dayOnly />}
      />
      <Figure
        name="Balance"
        amount={balance}
        note={credit > 0 ? <CreditNote credit={credit} /> : "Still to repay in all"}
      />
    </section>
  );
}

function CreditNote({ credit }: { readonly credit: number }) {
  return (
    <span className="text-warning">
      Overpaid by <Money amount={credit} />
    </span>
  );
}

interface FigureProps {
  readonly name: string;
  readonly amount: number | null;
  readonly note: ReactNode;
  readonly tone?: string;
}

function Figure({ name, amount, note, tone = "" }: FigureProps) {
  return (
    <dl
      className={`border-b border-line px-4 py-3 last:border-0 sm:border-r sm:border-b-0 ${tone}`}
      data-tone={tone === "" ? undefined : "danger"}
    >
      <dt className={`text-xs ${tone === "" ? "text-soft" : ""}`}>{name}</dt>
      <dd className="text-xl font-semibold tracking-tight">
        <Money amount={amount} />
      </dd>
      <dd className={`text-xs ${tone === "" ? "text-soft" : ""}`}>{note}</dd>
    </dl>
  );
}
