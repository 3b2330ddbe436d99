import { formatDate } from "../shared/calendar.ts";
import { formatNairaExactly } from "../shared/naira.ts";
import type { Plan } from "./checkout-view.ts";

export function PlanTable({ plan }: { readonly plan: Plan }) {
  const withFees = plan.schedule.some(({ fees }) => fees !== 0);
  return (
    <div className="table-frame">
      <table className="plan-table">
        <caption className="visually-hidden">Due date and amount of each payment</caption>
        <thead>
          <tr>
            <th scope="col">Due</th>
            <th scope="col">Order</th>
            <th scope="col">Interest</th>
            {withFees ? <th scope="col">Fees</th> : null}
            <th scope="col">Payment</th>
          </tr>
        </thead>
        <tbody>
          {plan.schedule.map((item) => (
            <tr key={item.number}>
              <th scope="row">{formatDate(item.dueDate)}</th>
              <td>{formatNairaExactly(item.principal)}</td>
              <td>{formatNairaExactly(item.interest)}</td>
              {withFees ? <td>{formatNairaExactly(item.fees)}</td> : null}
              <td>{formatNairaExactly(item.amountDue)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td />
            <td>{formatNairaExactly(plan.totalInterest)}</td>
            {withFees ? <td /> : null}
            <td>{formatNairaExactly(plan.totalRepayment)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
