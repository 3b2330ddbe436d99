/**
 * The plan as a row of bars: nothing today, then one bar a month, its upper part the interest. Places are given in
 * percent, so that the drawing fits every width while its letters keep their size.
 */
import { formatDate, formatMonth, formatShortDate } from "../shared/calendar.ts";
import { formatNaira } from "../shared/naira.ts";
import type { Instalment, Plan } from "./checkout-view.ts";

const barArea = 88;
const baseline = 96;
const height = 120;
/** A share of the column; few payments would otherwise become walls. */
const widestBar = 9;
const mostDayLabels = 3;
const crowdedColumns = 8;

export function PlanChart({ plan }: { readonly plan: Plan }) {
  const columns = plan.schedule.length + 1;
  const column = 100 / columns;
  const tallest = Math.max(...plan.schedule.map(({ amountDue }) => amountDue), 1);
  return (
    <figure className="chart">
      <svg role="img" aria-label={describe(plan)} width="100%" height={height}>
        <line x1="0" x2="100%" y1={baseline} y2={baseline} className="chart-line" />
        <circle cx={`${column / 2}%`} cy={baseline} r="5" className="chart-today" />
        <text x={`${column / 2}%`} y={baseline - 14} className="chart-label chart-strong">
          ₦0
        </text>
        <text x={`${column / 2}%`} y={height - 4} className="chart-label">
          Today
        </text>
        {plan.schedule.map((item, place) => (
          <Bar key={item.number} item={item} place={place} tallest={tallest} columns={columns} />
        ))}
      </svg>
      <figcaption className="chart-key" aria-hidden="true">
        <span className="key-order">Order</span>
        <span className="key-interest">Interest</span>
      </figcaption>
    </figure>
  );
}

interface BarProps {
  readonly item: Instalment;
  readonly tallest: number;
  readonly columns: number;
  readonly place: number;
}

function Bar({ item, place, tallest, columns }: BarProps) {
  const column = 100 / columns;
  const middle = (place + 1.5) * column;
  const width = Math.min(widestBar, column * 0.55);
  const whole = (item.amountDue / tallest) * barArea;
  const order = (item.principal / tallest) * barArea;
  const bar = { x: `${middle - width / 2}%`, width: `${width}%` };
  return (
    <g>
      <rect {...bar} y={baseline - whole} height={whole} rx="3" className="chart-interest" />
      <rect {...bar} y={baseline - order} height={order} className="chart-order" />
      <text x={`${middle}%`} y={height - 4} className={labelClass(place, columns)}>
        {columns - 1 <= mostDayLabels ? formatShortDate(item.dueDate) : formatMonth(item.dueDate)}
      </text>
    </g>
  );
}

/** On a phone every second label makes room for its neighbours. */
function labelClass(place: number, columns: number): string {
  return columns > crowdedColumns && place % 2 === 0 ? "chart-label chart-crowded" : "chart-label";
}

/** The drawing in words; the table has the figures. */
function describe({ schedule, installmentAmount }: Plan): string {
  const [first] = schedule;
  const last = schedule.at(-1);
  if (first === undefined || last === undefined) return "No payments";
  if (schedule.length === 1) return `One payment of ${formatNaira(first.amountDue)} on ${formatDate(first.dueDate)}`;
  const span = `from ${formatDate(first.dueDate)} to ${formatDate(last.dueDate)}`;
  return `${schedule.length} monthly payments of ${formatNaira(installmentAmount)}, ${span}`;
}
