import { formatDayOfYear } from "../shared/calendar.ts";
import { formatNaira, formatNairaExactly } from "../shared/naira.ts";
import type { Instalment, PlanView } from "./plan-view.ts";

/** The whole plan, with what is paid. */
export function PlanSchedule({ view }: { readonly view: PlanView }) {
  return (
    <section className="panel" aria-labelledby="schedule">
      <h2 id="schedule">All payments</h2>
      <table className="schedule">
        <caption className="visually-hidden">Due date, amount and state of each payment</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Due</th>
            <th scope="col">State</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {view.schedule.map((item) => (
            <tr key={item.number}>
              <th scope="row">
                {formatDayOfYear(item.dueDate)}
                <Note item={item} />
              </th>
              <td>
                <State item={item} isNext={item.number === view.next?.number} />
              </td>
              <td className="amount">{formatNairaExactly(item.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Note({ item }: { readonly item: Instalment }) {
  const fee = item.lateFee === 0 ? null : `with ${formatNaira(item.lateFee)} late fee`;
  const open = item.status !== "paid" && item.paid > 0 ? `${formatNaira(item.balance)} still open` : null;
  const notes = [fee, open].filter((note) => note !== null);
  return notes.length === 0 ? null : <span className="schedule-note">{notes.join(", ")}</span>;
}

function State({ item, isNext }: { readonly item: Instalment; readonly isNext: boolean }) {
  switch (item.status) {
    case "paid":
      return <span className="state state-paid">Paid</span>;
    case "overdue":
      return <span className="state state-late">Late</span>;
    case "partially_paid":
      return <span className="state state-part">Partly paid</span>;
    default:
      return <span className={isNext ? "state state-next" : "state"}>{isNext ? "Next" : "Planned"}</span>;
  }
}
