import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { Panel } from "../parts/facts.tsx";
import { Moment } from "../parts/moment.tsx";
import { Money } from "../parts/money.tsx";
import { StatusChip } from "../parts/status-chip.tsx";
import { barsOf, type Installment, rowsInBrief } from "./loan.ts";

/** The instalments as bars and as a table: the picture for the shape, the table for the figures. */
export function SchedulePanel({ schedule }: { readonly schedule: readonly Installment[] }) {
  const [isWhole, setWhole] = useState(false);
  const brief = rowsInBrief(schedule);
  const rows = isWhole ? schedule : brief;
  return (
    <Panel title="Schedule" aside={<Legend />}>
      <Chart schedule={schedule} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section className="overflow-x-auto" tabIndex={0} aria-label="Instalments">
        <table className="w-full text-left">
          <thead className="text-xs text-soft">
            <tr>
              {["No.", "Due", "Status"].map((title) => (
                <th key={title} scope="col" className="px-4 py-2 font-medium">
                  {title}
                </th>
              ))}
              {["Principal", "Interest", "Late fee", "Due amount", "Paid", "Open"].map((title) => (
                <th key={title} scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </tbody>
        </table>
      </section>
      {brief.length === schedule.length ? null : (
        <div className="border-t border-line px-4 py-2">
          <Button look="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? "Show fewer" : `Show all ${schedule.length} instalments`}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function Row({ item }: { readonly item: Installment }) {
  const amounts = [item.principal, item.interest, item.late_fee, item.amount_due, item.amount_paid, item.balance];
  const names = ["principal", "interest", "late", "due", "paid", "open"];
  const isLate = item.status === "overdue";
  return (
    <tr
      className={`border-t border-line ${isLate ? "bg-danger-tint text-danger" : ""}`}
      data-late={isLate || undefined}
    >
      <td className="px-4 py-2">{item.installment_number}</td>
      <td className="px-4 py-2">
        <Moment at={item.due_date} dayOnly />
      </td>
      <td className="px-4 py-2">
        <StatusChip status={item.status} {...(isLate ? { tone: "bad" as const } : {})} />
      </td>
      {amounts.map((amount, index) => (
        <td key={names[index]} className="px-4 py-2 text-right">
          <Money amount={amount} />
        </td>
      ))}
    </tr>
  );
}

function Chart({ schedule }: { readonly schedule: readonly Installment[] }) {
  const bars = barsOf(schedule);
  const step = 100 / bars.length;
  const width = Math.min(step * 0.6, 4);
  return (
    <svg viewBox="0 0 100 40" preserveAspectRatio="none" className="h-32 w-full px-4 pt-4" aria-hidden="true">
      {bars.map(({ key, paid, open, late }, index) => {
        const x = index * step + (step - width) / 2;
        const paidHeight = paid * 0.4;
        const openHeight = open * 0.4;
        return (
          <g key={key}>
            <rect x={x} y={40 - paidHeight} width={width} height={paidHeight} className="fill-brand" />
            <rect
              x={x}
              y={40 - paidHeight - openHeight}
              width={width}
              height={openHeight}
              className={late ? "fill-danger" : "fill-strong"}
            />
          </g>
        );
      })}
    </svg>
  );
}

function Legend() {
  return (
    <p className="flex gap-3 text-xs text-soft">
      <span className="flex items-center gap-1">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-brand" />
        paid
      </span>
      <span className="flex items-center gap-1">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-strong" />
        open
      </span>
      <span className="flex items-center gap-1">
        <span aria-hidden="true" className="size-2.5 rounded-sm bg-danger" />
        overdue
      </span>
    </p>
  );
}
